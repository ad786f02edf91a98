package dev.ledger.app.http;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** The threads that write answers of batches, one for each batch that is open. */
@Component
final class AnswerSpools implements DisposableBean {

    private static final int MAX_OPEN_BATCHES = 256;

    private final ExecutorService writers = new ThreadPoolExecutor(
            0,
            MAX_OPEN_BATCHES,
            30,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> new Thread(task, "ledger-answers"));

    /** @throws ProblemException too-busy if as many batches are open as may be */
    AnswerSpool open(OutputStream out) throws IOException {
        AnswerSpool spool = new AnswerSpool(out);
        spool.start(writers);
        return spool;
    }

    @Override
    public void destroy() {
        writers.shutdown();
    }
}
