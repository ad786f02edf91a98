package dev.ledger.app.http;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** The threads that answer batches while others read them, and the disk that they share. */
@Component
final class AnswerSpools implements SmartLifecycle, DisposableBean {

    private static final int MAX_OPEN_BATCHES = 256;
    private static final Path FOLDER = Path.of(System.getProperty("java.io.tmpdir"));

    private final ExecutorService writers = pool("ledger-answers");
    private final ExecutorService background = pool("ledger-batches");
    private final HttpProperties properties;
    private final SpoolSpace space;
    private final Set<AnswerSpool> open = ConcurrentHashMap.newKeySet();
    private volatile boolean running;

    AnswerSpools(HttpProperties properties, MeterRegistry meters) {
        this.properties = properties;
        this.space = new SpoolSpace(properties.maxSpool().toBytes());
        Gauge.builder("ledger.http.spool", space, SpoolSpace::usedBytes)
                .baseUnit("bytes")
                .register(meters);
    }

    private static ExecutorService pool(String name) {
        return new ThreadPoolExecutor(
                0, MAX_OPEN_BATCHES, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> new Thread(task, name));
    }

    /**
     * The caller closes it here.
     *
     * @throws ProblemException too-busy if as many batches are open as may be
     */
    AnswerSpool open(OutputStream out, CallerConnection connection) {
        AnswerSpool spool = new AnswerSpool(
                out,
                new SpoolFiles(FOLDER, space, properties.maxSpoolPerBatch().toBytes()),
                properties.takeTimeout(),
                connection::cut);
        spool.start(writers);
        open.add(spool);
        return spool;
    }

    void closed(AnswerSpool spool) {
        open.remove(spool);
    }

    /** A thread for each open batch that answers while its reader waits. */
    Executor background() {
        return background;
    }

    @Override
    public void start() {
        running = true;
    }

    /**
     * What is still open has had its time. Tomcat would close these connections under their writers, which would then wait
     * for ever.
     */
    @Override
    public void stop() {
        running = false;
        open.forEach(spool -> spool.cut(new IOException("the ledger stops")));
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Stops after Tomcat has waited for the requests that are under way, and before it closes their connections. */
    @Override
    public int getPhase() {
        return WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE + 1;
    }

    @Override
    public void destroy() {
        background.shutdown();
        writers.shutdown();
    }
}
