package dev.ledger.app.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A caller with one key. Bodies are sent as they are given, well-formed or not. */
public final class LedgerClient {

    private static final String JSON = "application/json";
    private static final String NDJSON = "application/x-ndjson";
    private static final int SOCKET_TIMEOUT_MILLIS = 30_000;

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI url;
    private final String token;

    /** For a ledger that is no {@link RunningLedger}. */
    public LedgerClient(URI url, String token) {
        this.url = url;
        this.token = token;
    }

    public Answer put(String account, String operationId, String body) {
        return put(account, operationId, body.getBytes(StandardCharsets.UTF_8));
    }

    public Answer put(String account, String operationId, byte[] body) {
        return send("PUT", operationPath(account, operationId), body, "Content-Type", JSON);
    }

    /** Nothing but a change of the balance. */
    public Answer apply(String account, String operationId, long delta) {
        return put(account, operationId, "{\"delta\":" + delta + "}");
    }

    /** @param idempotencyKeys as many headers as there are keys */
    public Answer post(String account, String body, String... idempotencyKeys) {
        String[] headers = new String[2 + 2 * idempotencyKeys.length];
        headers[0] = "Content-Type";
        headers[1] = JSON;
        for (int i = 0; i < idempotencyKeys.length; i++) {
            headers[2 + 2 * i] = "Idempotency-Key";
            headers[3 + 2 * i] = idempotencyKeys[i];
        }
        return send("POST", "/v1/accounts/" + account + "/operations", body.getBytes(StandardCharsets.UTF_8), headers);
    }

    public Answer batch(String lines) {
        return batch(lines.getBytes(StandardCharsets.UTF_8));
    }

    public Answer batch(byte[] lines) {
        return send("POST", "/v1/operations", lines, "Content-Type", NDJSON);
    }

    public Answer get(String pathAndQuery) {
        return send("GET", pathAndQuery, null);
    }

    public Answer receipt(String account, String operationId) {
        return get(operationPath(account, operationId));
    }

    /**
     * @param body null for none
     * @param headers names and values in turn
     */
    public Answer send(String method, String pathAndQuery, byte[] body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(pathAndQuery))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return exchange(request.build());
    }

    private static Answer exchange(HttpRequest request) {
        try {
            HttpResponse<byte[]> response = HTTP.send(request, BodyHandlers.ofByteArray());
            return new Answer(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A connection to write anything on, for requests that no HTTP client would send. The caller closes it. */
    public Socket open() throws IOException {
        Socket socket = new Socket(url.getHost(), url.getPort());
        socket.setSoTimeout(SOCKET_TIMEOUT_MILLIS);
        return socket;
    }

    /**
     * Sends a request line as it is, with this caller's token, and reads until the ledger closes the connection.
     *
     * @param requestLine such as {@code GET /v1/accounts/%zz HTTP/1.1}
     * @param headerLines further ones, without line ends
     */
    public Answer sendRaw(String requestLine, List<String> headerLines, byte[] body) {
        StringBuilder head = new StringBuilder(requestLine).append("\r\nHost: localhost\r\nConnection: close\r\n");
        if (!token.isEmpty()) {
            head.append("Authorization: Bearer ").append(token).append("\r\n");
        }
        headerLines.forEach(line -> head.append(line).append("\r\n"));
        head.append("\r\n");
        try (Socket socket = open()) {
            ByteArrayOutputStream request = new ByteArrayOutputStream();
            request.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
            request.writeBytes(body);
            socket.getOutputStream().write(request.toByteArray());
            InputStream in = socket.getInputStream();
            return Answer.parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String operationPath(String account, String operationId) {
        return "/v1/accounts/" + account + "/operations/" + operationId;
    }
}
