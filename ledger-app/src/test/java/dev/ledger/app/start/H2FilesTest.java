package dev.ledger.app.start;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which file an H2 URL means. */
class H2FilesTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:h2:file:%s/new/x;WRITE_DELAY=0", "jdbc:h2:%s/new/x", "jdbc:h2:file:%s/new/x"})
    void theFileIsMadeBeforeH2MakesIt(String url) throws IOException {
        H2Files.prepare(url.formatted(folder));

        assertThat(folder.resolve("new/x.mv.db")).isEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:mem:x",
                "jdbc:h2:mem:",
                "jdbc:h2:tcp://localhost/%s/x",
                "jdbc:h2:file:%s/x;IFEXISTS=TRUE",
                "jdbc:postgresql://localhost/x"
            })
    void anythingElseIsLeftAlone(String url) throws IOException {
        H2Files.prepare(url.formatted(folder));

        assertThat(folder).isEmptyDirectory();
        assertThat(Path.of("mem:x.mv.db")).doesNotExist();
        assertThat(Path.of("x.mv.db")).doesNotExist();
    }
}
