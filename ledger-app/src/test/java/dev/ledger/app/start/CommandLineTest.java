package dev.ledger.app.start;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ledger.app.LedgerApplication;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Questions about the program itself. */
class CommandLineTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    private boolean answers(String... arguments) {
        return CommandLine.answers(arguments, new PrintStream(printed, true, UTF_8));
    }

    private String printed() {
        return printed.toString(UTF_8);
    }

    @Test
    void theVersionIsThatOfTheBuildAndOfJava() {
        assertThat(answers("--version")).isTrue();

        assertThat(printed().lines()).hasSize(1);
        assertThat(printed())
                .matches("(?s)Ledger \\d+\\.\\d+\\.\\d+.*, built \\d{4}-\\d\\d-\\d\\dT.*")
                .contains(", Java " + System.getProperty("java.version"));
    }

    @Test
    void theHelpNamesWhatAnOperatorNeeds() {
        assertThat(answers("--server.port=1", "--help")).isTrue();

        assertThat(printed())
                .contains(
                        "--server.port",
                        "--spring.datasource.url",
                        "--spring.datasource.username",
                        "--spring.datasource.password",
                        "--ledger.security.initial-key-file",
                        "--logging.structured.format.console=ecs",
                        "docs/operations.md");
        assertThat(printed().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(110));
    }

    @Test
    void anythingElseIsForTheLedger() {
        assertThat(answers()).isFalse();
        assertThat(answers("serve", "--server.port=1", "--version=2")).isFalse();
        assertThat(printed()).isEmpty();
    }

    /** The port is one that no ledger could listen on. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void nothingStartsForAQuestion(CapturedOutput output) {
        LedgerApplication.main(new String[] {"--version", "--server.port=-5", "--spring.datasource.url=jdbc:none"});

        assertThat(output.getOut().lines()).hasSize(1);
        assertThat(output.getOut()).startsWith("Ledger ");
    }
}
