package dev.ledger.app.start;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What a browser shows somebody who has just started a ledger: no script, nothing from elsewhere, nothing secret. */
@RestController
public final class LandingPage {

    private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, UTF_8);

    private final byte[] page;
    private final String policy;

    LandingPage() throws IOException {
        String text = new ClassPathResource("landing.html").getContentAsString(UTF_8);
        this.page = text.getBytes(UTF_8);
        this.policy = "default-src 'none'; style-src 'sha256-" + hash(style(text))
                + "'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    /** Whether a request is for this page, which needs no key: {@code GET} or {@code HEAD} of exactly {@code /}. */
    public static boolean isAsked(HttpServletRequest request) {
        return "/".equals(request.getRequestURI())
                && ("GET".equals(request.getMethod()) || "HEAD".equals(request.getMethod()));
    }

    @GetMapping("/")
    ResponseEntity<byte[]> page() {
        return ResponseEntity.ok()
                .contentType(HTML)
                .header("Content-Security-Policy", policy)
                .header("Referrer-Policy", "no-referrer")
                .body(page);
    }

    /** The policy allows this one style sheet and no other. */
    private static String style(String text) {
        return text.substring(text.indexOf("<style>") + "<style>".length(), text.indexOf("</style>"));
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
