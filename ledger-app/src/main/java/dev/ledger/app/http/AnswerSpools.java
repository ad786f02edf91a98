package dev.ledger.app.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** The threads that answer batches while others read them. */
@Component
final class AnswerSpools implements DisposableBean {

    private static final int MAX_OPEN_BATCHES = 256;

    private final ExecutorService writers = pool("ledger-answers");
    private final ExecutorService background = pool("ledger-batches");

    private static ExecutorService pool(String name) {
        return new ThreadPoolExecutor(
                0, MAX_OPEN_BATCHES, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> new Thread(task, name));
    }

    /** @throws ProblemException too-busy if as many batches are open as may be */
    AnswerSpool open(OutputStream out) throws IOException {
        AnswerSpool spool = new AnswerSpool(out);
        spool.start(writers);
        return spool;
    }

    /** A thread for each open batch that answers while its reader waits. */
    Executor background() {
        return background;
    }

    @Override
    public void destroy() {
        background.shutdown();
        writers.shutdown();
    }
}
