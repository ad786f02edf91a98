package dev.ledger.app.http;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Supplier;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.coyote.ActionHook;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection that a request came on, for a request that outlives Tomcat's time-outs: they know how long a read or a
 * write has taken, and not what the caller is doing meanwhile.
 */
final class CallerConnection {

    /** Tomcat leaves 17 to 31 to others, see {@link org.apache.coyote.Request#setNote}. */
    static final int NOTE = 17;

    private static final Logger log = LoggerFactory.getLogger(CallerConnection.class);
    private static final String ATTRIBUTE = CallerConnection.class.getName();
    private static final long NEVER = -1;

    private final ActionHook processor;
    private final Supplier<@Nullable SocketWrapperBase<?>> socket;

    CallerConnection(ActionHook processor, Supplier<@Nullable SocketWrapperBase<?>> socket) {
        this.processor = processor;
        this.socket = socket;
    }

    static CallerConnection of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof CallerConnection connection) {
            return connection;
        }
        throw new IllegalStateException("batches need HTTP/1.1 by " + LedgerProtocol.class.getName());
    }

    /** What the time-outs were; closing sets them again, for the next request on this connection. */
    interface TimeLimits extends AutoCloseable {

        @Override
        void close();
    }

    /** A read may take this long, and a write for ever, until {@link #cut}. */
    TimeLimits limit(Duration read) {
        SocketWrapperBase<?> wrapper = socket.get();
        if (wrapper == null) {
            return () -> {};
        }
        long readMillis = wrapper.getReadTimeout();
        long writeMillis = wrapper.getWriteTimeout();
        wrapper.setReadTimeout(read.toMillis());
        wrapper.setWriteTimeout(NEVER);
        return () -> {
            wrapper.setReadTimeout(readMillis);
            wrapper.setWriteTimeout(writeMillis);
        };
    }

    /**
     * Ends the connection under whoever reads from it or writes to it. Not by closing it: Tomcat's threads wait for the
     * channel to become ready, and a closed one never does. One that is shut down is ready at once, and fails.
     */
    void cut() {
        SocketWrapperBase<?> wrapper = socket.get();
        if (wrapper == null || !(wrapper.getSocket() instanceof NioChannel channel)) {
            return;
        }
        try {
            SocketChannel io = channel.getIOChannel();
            if (io != null && io.isConnected()) {
                io.shutdownInput();
                io.shutdownOutput();
            }
        } catch (IOException e) {
            // The caller was faster.
            log.debug("the connection was closed already", e);
        }
    }

    /** Ends an answer that has begun so that the caller sees it is not whole. For the thread of the request only. */
    void breakOff() {
        processor.action(ActionCode.CLOSE_NOW, null);
    }

    /** Hands the connection to the request. */
    static final class Valve extends ValveBase {

        Valve() {
            super(true);
        }

        @Override
        public void invoke(Request request, Response response) throws IOException, ServletException {
            request.setAttribute(ATTRIBUTE, request.getCoyoteRequest().getNote(NOTE));
            getNext().invoke(request, response);
        }
    }
}
