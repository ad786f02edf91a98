package dev.ledger.app.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded queue and the one thread that empties it. Whatever came while the last group was committing is the next
 * group: it grows under load and adds no wait when idle.
 */
final class Partition {

    private static final Logger log = LoggerFactory.getLogger(Partition.class);

    private final BlockingQueue<PendingCommand> queue;
    private final int maxGroup;
    private final Consumer<List<PendingCommand>> groups;
    private final Thread thread;
    private volatile boolean stopping;

    Partition(String name, CommitProperties properties, Consumer<List<PendingCommand>> groups) {
        this.queue = new ArrayBlockingQueue<>(properties.queueCapacity());
        this.maxGroup = properties.maxGroup();
        this.groups = groups;
        this.thread = new Thread(this::run, name);
    }

    void start() {
        thread.start();
    }

    /** @return false if the queue is full or the ledger is stopping */
    boolean offer(PendingCommand command) {
        return !stopping && queue.offer(command);
    }

    /** @return whether the caller runs on this partition's thread */
    boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    int waiting() {
        return queue.size();
    }

    /** Takes nothing more, finishes what it took. */
    void stop(long timeoutMillis) throws InterruptedException {
        stopping = true;
        thread.join(timeoutMillis);
        if (thread.isAlive()) {
            log.warn("{} still works on a group after {} ms", thread.getName(), timeoutMillis);
        }
        // An offer may have slipped in between the check and the end of the thread.
        for (PendingCommand late = queue.poll(); late != null; late = queue.poll()) {
            late.failed(new TooBusyException("the ledger is stopping"));
        }
    }

    private void run() {
        List<PendingCommand> group = new ArrayList<>(maxGroup);
        while (!stopping || !queue.isEmpty()) {
            try {
                PendingCommand first = queue.poll(100, TimeUnit.MILLISECONDS);
                if (first != null) {
                    group.add(first);
                    queue.drainTo(group, maxGroup - 1);
                    handle(List.copyOf(group));
                    group.clear();
                }
            } catch (InterruptedException e) {
                stopping = true;
            }
        }
    }

    /** Whatever goes wrong with one group, its commands are answered and the next group is taken. */
    private void handle(List<PendingCommand> group) {
        try {
            groups.accept(group);
        } catch (RuntimeException | Error e) {
            log.error("{} could not handle a group of {}", thread.getName(), group.size(), e);
            group.forEach(command -> command.failed(e));
        }
    }
}
