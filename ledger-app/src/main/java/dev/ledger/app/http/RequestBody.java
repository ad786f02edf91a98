package dev.ledger.app.http;

import dev.ledger.app.problem.Problem;
import dev.ledger.app.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a whole body within its limit. */
final class RequestBody {

    private RequestBody() {}

    /** @throws ProblemException payload-too-large before more than the limit is read, or unsupported-media-type */
    static byte[] read(HttpServletRequest request, String mediaType, long limitBytes) throws IOException {
        requireType(request.getContentType(), mediaType);
        return read(request, limitBytes);
    }

    /** @throws ProblemException payload-too-large before more than the limit is read */
    static byte[] read(HttpServletRequest request, long limitBytes) throws IOException {
        if (request.getContentLengthLong() > limitBytes) {
            throw new ProblemException(Problem.payloadTooLarge("the body", limitBytes));
        }
        byte[] body = request.getInputStream().readNBytes((int) limitBytes + 1);
        if (body.length > limitBytes) {
            throw new ProblemException(Problem.payloadTooLarge("the body", limitBytes));
        }
        return body;
    }

    static void requireType(@Nullable String contentType, String mediaType) {
        String bare =
                contentType == null ? "" : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!bare.equals(mediaType)) {
            throw new ProblemException(
                    Problem.of("unsupported-media-type", 415, "the body must be of type " + mediaType));
        }
    }
}
