package dev.ledger.app.http;

import dev.ledger.domain.balance.InvalidOperationException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Where a page ended. Opaque to callers; what it holds is only compared, so a forged one shows nothing new. */
final class Cursor {

    private Cursor() {}

    static String encode(String position) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(position.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param first the position of the first page
     * @throws InvalidOperationException if it is not one of ours
     */
    static String decode(@Nullable String cursor, String first) {
        if (cursor == null) {
            return first;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(cursor)))
                    .toString();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw invalid();
        }
    }

    static InvalidOperationException invalid() {
        return new InvalidOperationException("cursor", "is not one that a page gave");
    }
}
