package dev.ledger.app.security;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.ledger.app.files.OwnerOnly;
import dev.ledger.app.security.SecurityProperties.ApiKeyProperties;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionOperations;

/** The keys that this instance knows: those of its configuration and those in the database. Only hashes are kept. */
final class ApiKeys {

    private static final Logger log = LoggerFactory.getLogger(ApiKeys.class);

    private static final String INITIAL_NAME = "initial";
    private static final String INITIAL_TENANT = "default";
    private static final int INITIAL_KEY_BYTES = 32;

    private final List<ApiKey> keys;

    private ApiKeys(List<ApiKey> keys) {
        this.keys = List.copyOf(keys);
    }

    /** @param onConsole whether a person reads the console; one that is collected as JSON is no place for a key */
    static ApiKeys load(
            SecurityProperties properties,
            JdbcTemplate jdbc,
            TransactionOperations transaction,
            Clock clock,
            boolean onConsole) {
        List<ApiKey> keys = new ArrayList<>(
                properties.apiKeys().stream().map(ApiKeys::configured).toList());
        if (keys.isEmpty() && stored(jdbc).isEmpty()) {
            makeInitialKey(Path.of(properties.initialKeyFile()), jdbc, transaction, clock, onConsole);
        }
        keys.addAll(stored(jdbc));
        return new ApiKeys(keys);
    }

    /** Compares with every key, so that the time says nothing about which one nearly matched. */
    Optional<ApiKey> find(String presented) {
        KeyHash hash = KeyHash.of(presented);
        ApiKey found = null;
        for (ApiKey key : keys) {
            if (key.hash().matches(hash)) {
                found = key;
            }
        }
        return Optional.ofNullable(found);
    }

    private static ApiKey configured(ApiKeyProperties properties) {
        return new ApiKey(properties.name(), properties.tenant(), properties.roles(), KeyHash.of(properties.key()));
    }

    private static List<ApiKey> stored(JdbcTemplate jdbc) {
        return jdbc.query(
                "select name, tenant, roles, hash from api_key order by name",
                (row, number) -> new ApiKey(
                        row.getString("name"),
                        row.getString("tenant"),
                        roles(row.getString("roles")),
                        new KeyHash(row.getBytes("hash"))));
    }

    private static Set<Role> roles(String text) {
        return Arrays.stream(text.split(",")).map(Role::valueOf).collect(toUnmodifiableSet());
    }

    /**
     * Commits together: the row, and only once the file is written; a key that nobody can read would lock everybody out.
     * The primary key on the name decides which of several instances makes it.
     */
    private static void makeInitialKey(
            Path file, JdbcTemplate jdbc, TransactionOperations transaction, Clock clock, boolean onConsole) {
        byte[] random = new byte[INITIAL_KEY_BYTES];
        new SecureRandom().nextBytes(random);
        String key = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
        try {
            transaction.executeWithoutResult(status -> {
                jdbc.update(
                        "insert into api_key (name, tenant, roles, hash, created_at) values (?, ?, ?, ?, ?)",
                        INITIAL_NAME,
                        INITIAL_TENANT,
                        EnumSet.allOf(Role.class).stream().map(Role::name).collect(joining(",")),
                        KeyHash.of(key).bytes(),
                        clock.instant().atOffset(ZoneOffset.UTC));
                write(file, key);
            });
        } catch (DuplicateKeyException e) {
            log.info("another instance has made the initial key");
            return;
        }
        if (!onConsole) {
            log.info("the initial API key, tenant {}, all roles, is in {}", INITIAL_TENANT, file);
            return;
        }
        // The one time that a key is printed: on the console of whoever started the ledger first (contract, Start).
        System.out.println("Initial API key, tenant " + INITIAL_TENANT + ", all roles: " + key + "\nIt is also in "
                + file + " and will not be shown again.");
    }

    private static void write(Path file, String key) {
        try {
            if (file.getParent() != null) {
                OwnerOnly.createFolders(file.getParent());
            }
            Files.deleteIfExists(file);
            OwnerOnly.createFile(file);
            Files.writeString(file, key + "\n", StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("the initial key could not be written to " + file, e);
        }
    }
}
