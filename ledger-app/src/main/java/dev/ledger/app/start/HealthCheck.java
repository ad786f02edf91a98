package dev.ledger.app.start;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;

/** For containers without curl: ends with 0 if the ledger on this machine is ready, with 1 if not. */
public final class HealthCheck {

    private static final int TIMEOUT_MILLIS = 3_000;

    private HealthCheck() {}

    /** Asks the port of the environment variable {@code SERVER_PORT}, as the ledger itself reads it; 8080 without. */
    public static void main(String[] arguments) {
        System.exit(isReady(System.getenv().getOrDefault("SERVER_PORT", "8080")) ? 0 : 1);
    }

    private static boolean isReady(String port) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create("http://localhost:" + port + "/actuator/health/readiness")
                            .toURL()
                            .openConnection(Proxy.NO_PROXY);
            connection.setConnectTimeout(TIMEOUT_MILLIS);
            connection.setReadTimeout(TIMEOUT_MILLIS);
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }
}
