package dev.ledger.app.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.ledger.app.store.Database;
import dev.ledger.app.testing.Answer;
import dev.ledger.app.testing.Key;
import dev.ledger.app.testing.RunningLedger;
import dev.ledger.app.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Callers with a JWT. Tokens are not looked up anywhere, so one database is enough. */
class JwtTest {

    private static KeyPair keys;
    private static String publicKey;
    private static RunningLedger ledger;

    @BeforeAll
    static void start() throws GeneralSecurityException, IOException {
        keys = newKeys();
        publicKey = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.getPublic().getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        TestDatabase database = TestDatabase.create(Database.H2);
        Path file = Files.writeString(database.folder().resolve("public-key.pem"), publicKey);
        ledger = RunningLedger.startAndOwn(
                database, "spring.security.oauth2.resourceserver.jwt.public-key-location=" + file.toUri());
    }

    private static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
    }

    @AfterAll
    static void stop() {
        ledger.close();
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .subject("payments")
                .claim("tenant", "alpha")
                .claim("scope", "ledger.write ledger.read")
                .expirationTime(Date.from(Instant.now().plusSeconds(600)));
    }

    private static String signed(JWTClaimsSet claims) throws JOSEException {
        return signed(claims, new RSASSASigner(keys.getPrivate()), JWSAlgorithm.RS256);
    }

    private static String signed(JWTClaimsSet claims, JWSSigner signer, JWSAlgorithm algorithm) throws JOSEException {
        SignedJWT jwt = new SignedJWT(new JWSHeader(algorithm), claims);
        jwt.sign(signer);
        return jwt.serialize();
    }

    private static Answer write(String token, String operationId) {
        return ledger.client(token).apply("jwt", operationId, 1);
    }

    @Test
    void aTokenOpensItsTenantsAccountsAsAKeyDoes() throws JOSEException {
        Answer receipt = write(signed(claims().build()), "jwt-1").hasStatus(201);

        assertThat(ledger.client(Key.ALPHA).receipt("jwt", "jwt-1").body()).isEqualTo(receipt.body());
        ledger.client(Key.BETA).receipt("jwt", "jwt-1").isProblem(404, "not-found");
    }

    @Test
    void scopesAreRoles() throws JOSEException {
        String writer = signed(claims().claim("scope", "ledger.write").build());
        String reader = signed(claims().claim("scope", "openid ledger.read").build());
        String operator = signed(claims().claim("scope", "ledger.operate").build());
        String none =
                signed(claims().claim("scope", "ledger.writes WRITER ledger").build());
        String absent = signed(claims().claim("scope", null).build());

        write(writer, "jwt-2").hasStatus(201);
        ledger.client(writer).receipt("jwt", "jwt-2").isProblem(403, "forbidden");
        ledger.client(reader).receipt("jwt", "jwt-2").hasStatus(200);
        write(reader, "jwt-3").isProblem(403, "forbidden");
        ledger.client(operator).receipt("jwt", "jwt-2").hasStatus(200);
        write(operator, "jwt-3").isProblem(403, "forbidden");
        for (String token : List.of(none, absent)) {
            write(token, "jwt-3").isProblem(403, "forbidden");
            ledger.client(token).receipt("jwt", "jwt-2").isProblem(403, "forbidden");
        }
    }

    /** Some servers write scopes as a list, and some under another name (RFC 9068 has the one string). */
    @Test
    void scopesMayBeAList() throws JOSEException {
        write(
                        signed(claims().claim("scope", List.of("ledger.read", "ledger.write"))
                                .build()),
                        "jwt-list")
                .hasStatus(201);
    }

    @Test
    void aTokenWithoutAUsableTenantIsNobodys() throws JOSEException {
        for (Object tenant : new Object[] {null, "", "al pha", "alpha/x", "x".repeat(129), List.of("alpha")}) {
            write(signed(claims().claim("tenant", tenant).build()), "jwt-4").isProblem(401, "unauthenticated");
        }
    }

    @Test
    void aTokenThatIsNotSignedByTheConfiguredKeyIsRefused() throws GeneralSecurityException, JOSEException {
        JWTClaimsSet claims = claims().build();
        String genuine = signed(claims);
        String[] parts = genuine.split("\\.");
        String otherClaims = signed(claims().claim("tenant", "beta").build()).split("\\.")[1];

        for (String forged : List.of(
                signed(claims, new RSASSASigner(newKeys().getPrivate()), JWSAlgorithm.RS256),
                signed(claims, new MACSigner(publicKey.getBytes(UTF_8)), JWSAlgorithm.HS256),
                new PlainJWT(claims).serialize(),
                parts[0] + "." + otherClaims + "." + parts[2],
                parts[0] + "." + parts[1] + ".",
                parts[0] + "." + parts[1])) {
            write(forged, "jwt-5").isProblem(401, "unauthenticated");
        }
    }

    @Test
    void aTokenIsGoodInItsTimeOnly() throws JOSEException {
        Date past = Date.from(Instant.now().minusSeconds(600));
        Date future = Date.from(Instant.now().plusSeconds(600));

        write(signed(claims().expirationTime(past).build()), "jwt-6").isProblem(401, "unauthenticated");
        write(signed(claims().notBeforeTime(future).build()), "jwt-6").isProblem(401, "unauthenticated");
        assertThat(ledger.client(Key.ALPHA).receipt("jwt", "jwt-6").status()).isEqualTo(404);
    }
}
