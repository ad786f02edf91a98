package dev.ledger.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers wait on disk within bounds, and their space comes back as they are taken. */
class AnswerSpoolTest {

    private static final int ANSWER_BYTES = 8 * 1024;
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration SHORT = Duration.ofMillis(300);

    @TempDir
    private Path folder;

    private final ExecutorService writers = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        writers.shutdownNow();
    }

    /** Takes as many answers as it is allowed, and waits until it has been hung up on. */
    private static final class Caller extends OutputStream {

        private final Semaphore allowed = new Semaphore(0);
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private volatile boolean hungUp;

        void take(int answers) {
            allowed.release(answers);
        }

        void hangUp() {
            hungUp = true;
            allowed.release(1_000_000);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            allowed.acquireUninterruptibly();
            if (hungUp) {
                throw new IOException("hung up");
            }
            synchronized (taken) {
                taken.write(bytes, offset, length);
            }
        }

        @Override
        public void write(int one) {
            throw new UnsupportedOperationException();
        }

        byte[] taken() {
            synchronized (taken) {
                return taken.toByteArray();
            }
        }
    }

    private AnswerSpool spool(Caller caller, SpoolSpace space, int maxAnswers, Duration takeTimeout) {
        AnswerSpool spool = new AnswerSpool(
                caller, new SpoolFiles(folder, space, (long) maxAnswers * ANSWER_BYTES), takeTimeout, caller::hangUp);
        spool.start(writers);
        return spool;
    }

    private static SpoolSpace space(int answers) {
        return new SpoolSpace((long) answers * ANSWER_BYTES);
    }

    private static byte[] answer(int number) {
        byte[] answer = new byte[ANSWER_BYTES];
        Arrays.fill(answer, (byte) number);
        return answer;
    }

    /** Adds until so much is on disk; memory fills first. */
    private static void fill(AnswerSpool spool, SpoolSpace space, int onDisk) throws IOException {
        long wantedBytes = space.usedBytes() + (long) onDisk * ANSWER_BYTES;
        for (int i = 0; space.usedBytes() < wantedBytes; i++) {
            spool.add(answer(i));
        }
    }

    private static CompletableFuture<Void> addLater(AnswerSpool spool, int number) {
        return CompletableFuture.runAsync(() -> {
            try {
                spool.add(answer(number));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void atItsBoundABatchWaitsUntilItsCallerHasTakenSome() throws IOException {
        Caller caller = new Caller();
        SpoolSpace space = space(1000);
        try (AnswerSpool spool = spool(caller, space, 16, LONG)) {
            fill(spool, space, 16);
            CompletableFuture<Void> next = addLater(spool, 99);

            await().during(Duration.ofMillis(300)).until(() -> !next.isDone());
            assertThat(space.usedBytes()).isEqualTo(16L * ANSWER_BYTES);
            caller.take(1_000_000);
            next.join();
        }
        byte[] taken = caller.taken();
        assertThat(taken[taken.length - 1]).isEqualTo((byte) 99);
        assertThat(space.usedBytes()).isZero();
        assertThat(files()).isEmpty();
    }

    @Test
    void twoBatchesShareTheBoundOfAll() throws IOException {
        Caller first = new Caller();
        Caller second = new Caller();
        SpoolSpace space = space(24);
        try (AnswerSpool firstSpool = spool(first, space, 16, LONG);
                AnswerSpool secondSpool = spool(second, space, 16, LONG)) {
            fill(firstSpool, space, 16);
            fill(secondSpool, space, 8);
            CompletableFuture<Void> next = addLater(secondSpool, 99);

            await().during(Duration.ofMillis(300)).until(() -> !next.isDone());
            // The second batch has room as soon as the first one's caller has taken its answers.
            first.take(1_000_000);
            next.join();
            assertThat(second.taken()).isEmpty();
            second.take(1_000_000);
        }
        assertThat(space.usedBytes()).isZero();
        assertThat(files()).isEmpty();
    }

    /** Else one caller who never reads could stop all others. */
    @Test
    void aCallerWhoReadsAlongNeedsNoDisk() throws IOException {
        Caller never = new Caller();
        Caller along = new Caller();
        SpoolSpace space = space(16);
        AnswerSpool full = spool(never, space, 16, LONG);
        fill(full, space, 16);
        along.take(1_000_000);

        try (AnswerSpool spool = spool(along, space, 16, LONG)) {
            for (int i = 0; i < 1000; i++) {
                spool.add(answer(i));
            }
        }

        assertThat(along.taken()).hasSize(1000 * ANSWER_BYTES);
        full.cut(new IOException("the test ends"));
        full.close();
        assertThat(space.usedBytes()).isZero();
    }

    @Test
    void aCallerWhoTakesNothingAtTheBoundIsCut() throws IOException {
        Caller caller = new Caller();
        SpoolSpace space = space(1000);
        AnswerSpool spool = spool(caller, space, 16, SHORT);
        fill(spool, space, 16);

        assertThatThrownBy(() -> spool.add(answer(99))).isInstanceOf(AnswersNotTakenException.class);

        assertThat(spool.wasCut()).isTrue();
        spool.close();
        assertThat(space.usedBytes()).isZero();
        assertThat(files()).isEmpty();
    }

    @Test
    void aCallerWhoTakesNothingAfterItHasSentAllIsCut() throws IOException {
        Caller caller = new Caller();
        AnswerSpool spool = spool(caller, space(1000), 16, SHORT);
        spool.add(answer(1));

        assertThatThrownBy(spool::finish).isInstanceOf(AnswersNotTakenException.class);

        assertThat(spool.wasCut()).isTrue();
        spool.close();
    }

    /** Time counts only while the batch waits for it. */
    @Test
    void aCallerWhoTakesNothingIsLeftAloneWhileThereIsRoom() throws IOException {
        Caller caller = new Caller();
        SpoolSpace space = space(1000);
        try (AnswerSpool spool = spool(caller, space, 16, SHORT)) {
            spool.add(answer(1));
            await().pollDelay(SHORT.multipliedBy(3)).until(() -> true);
            spool.add(answer(2));

            assertThat(spool.wasCut()).isFalse();
            caller.take(1_000_000);
        }
        assertThat(caller.taken()).hasSize(2 * ANSWER_BYTES);
    }

    @Test
    void aBatchOfManyTimesItsBoundPassesInOrderIfItsCallerReadsAlong() throws IOException {
        Caller caller = new Caller();
        SpoolSpace space = space(16);
        int answers = 2000;
        try (AnswerSpool spool = spool(caller, space, 16, LONG)) {
            fill(spool, space, 16);
            int added = 1_000_000;
            caller.take(added);
            for (int i = 0; i < answers; i++) {
                spool.add(answer(i % 100));
                assertThat(space.usedBytes()).isLessThanOrEqualTo(16L * ANSWER_BYTES);
            }
        }
        byte[] taken = caller.taken();
        for (int i = 0; i < answers; i++) {
            assertThat(taken[taken.length - (answers - i) * ANSWER_BYTES]).isEqualTo((byte) (i % 100));
        }
        assertThat(space.usedBytes()).isZero();
        assertThat(files()).isEmpty();
    }

    /** Not only when all has been taken: a caller may always be a little behind. */
    @Test
    void theSpaceOfWhatHasBeenTakenComesBackWhileMoreWaits() throws IOException {
        Caller caller = new Caller();
        SpoolSpace space = space(1000);
        AnswerSpool spool = spool(caller, space, 64, LONG);
        fill(spool, space, 64);

        caller.take(AnswerSpool.MEMORY_BYTES / ANSWER_BYTES + 32);

        await().until(() -> space.usedBytes() <= 40L * ANSWER_BYTES);
        assertThat(space.usedBytes()).isPositive();
        spool.cut(new IOException("the test ends"));
        spool.close();
    }
}
