package dev.ledger.app.fire;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Stands between the ledger and PostgreSQL and spoils, once, the commit of a transaction that appended events: at the
 * moments at which nobody can tell from the outside whether it took effect.
 */
final class PostgresProxy implements AutoCloseable {

    private static final String APPEND = "insert into domain_event";
    private static final String COMMIT = "COMMIT";

    private final ServerSocket listener;
    private final int serverPort;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Fault> next = new AtomicReference<>(Fault.NONE);
    private final AtomicInteger spoilt = new AtomicInteger();
    private volatile boolean refusing;

    enum Fault {
        NONE,
        /** The events have been sent, the commit never arrives; the connection breaks. */
        BREAK_BEFORE_COMMIT,
        /** The commit has taken effect, the connection breaks before the answer. */
        BREAK_AFTER_COMMIT,
        /** The same, and the database stays out of reach until {@link #accept}. */
        BREAK_AND_REFUSE,
        /** The commit has taken effect, its answer never comes; the connection stays. */
        SWALLOW_ANSWER,
        /** The commit never arrives, and the server keeps the transaction open until {@link #breakAll}. */
        SWALLOW_COMMIT
    }

    PostgresProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread(this::listen);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Spoils the next commit of appended events. */
    void spoilNext(Fault fault) {
        next.set(fault);
    }

    /** How many commits have been spoilt so far. */
    int spoilt() {
        return spoilt.get();
    }

    /** Reachable again. */
    void accept() {
        refusing = false;
    }

    /** Breaks every connection on both sides. */
    void breakAll() {
        sockets.forEach(PostgresProxy::close);
        sockets.clear();
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                if (refusing) {
                    client.close();
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                sockets.add(client);
                sockets.add(server);
                new Session(client, server).start();
            } catch (IOException closed) {
                // Closed, or the server is down: the ledger sees a connection that cannot be made.
            }
        }
    }

    /** One connection. The driver must neither encrypt nor name its statements, so that they can be seen. */
    private final class Session {

        private final Socket client;
        private final Socket server;
        private boolean appended;
        private volatile Fault fault = Fault.NONE;

        Session(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void start() {
            thread(() -> pump(this::requests));
            thread(() -> pump(this::answers));
        }

        private void pump(Pump pump) {
            try {
                pump.run();
            } catch (IOException broken) {
                // One side has ended, so does the other.
            } finally {
                close(client);
                if (fault != Fault.SWALLOW_COMMIT) {
                    close(server);
                }
            }
        }

        private void requests() throws IOException {
            DataInputStream in = new DataInputStream(client.getInputStream());
            OutputStream out = server.getOutputStream();
            int startup = in.readInt();
            byte[] parameters = in.readNBytes(startup - Integer.BYTES);
            out.write(message(-1, startup, parameters));
            for (int type = in.read(); type >= 0; type = in.read()) {
                int length = in.readInt();
                byte[] body = in.readNBytes(length - Integer.BYTES);
                appended |= type == 'P' && contains(body, APPEND);
                if (type == 'P' && contains(body, COMMIT) && appended) {
                    appended = false;
                    fault = next.getAndSet(Fault.NONE);
                    if (fault != Fault.NONE) {
                        spoilt.incrementAndGet();
                    }
                    if (fault == Fault.BREAK_BEFORE_COMMIT) {
                        return;
                    }
                    if (fault == Fault.SWALLOW_COMMIT) {
                        in.transferTo(OutputStream.nullOutputStream());
                        return;
                    }
                }
                out.write(message(type, length, body));
            }
        }

        private void answers() throws IOException {
            DataInputStream in = new DataInputStream(server.getInputStream());
            OutputStream out = client.getOutputStream();
            for (int type = in.read(); type >= 0; type = in.read()) {
                int length = in.readInt();
                byte[] body = in.readNBytes(length - Integer.BYTES);
                if (type == 'C' && contains(body, COMMIT) && fault != Fault.NONE) {
                    refusing |= fault == Fault.BREAK_AND_REFUSE;
                    if (fault == Fault.SWALLOW_ANSWER) {
                        in.transferTo(OutputStream.nullOutputStream());
                    } else if (refusing) {
                        breakAll();
                    }
                    return;
                }
                out.write(message(type, length, body));
            }
        }
    }

    private interface Pump {
        void run() throws IOException;
    }

    /** @param type -1 for the first message, which has none */
    private static byte[] message(int type, int length, byte[] body) {
        int head = type < 0 ? 0 : 1;
        byte[] message = new byte[head + Integer.BYTES + body.length];
        if (head == 1) {
            message[0] = (byte) type;
        }
        for (int i = 0; i < Integer.BYTES; i++) {
            message[head + i] = (byte) (length >>> (24 - 8 * i));
        }
        System.arraycopy(body, 0, message, head + Integer.BYTES, body.length);
        return message;
    }

    private static boolean contains(byte[] body, String wanted) {
        return new String(body, StandardCharsets.ISO_8859_1).contains(wanted);
    }

    private static void thread(Runnable work) {
        Thread thread = new Thread(work, "postgres-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        breakAll();
    }
}
