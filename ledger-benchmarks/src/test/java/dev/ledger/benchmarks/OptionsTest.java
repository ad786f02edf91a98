package dev.ledger.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class OptionsTest {

    @Test
    void withoutArgumentsTheDefaultsHold() {
        assertThat(Options.parse())
                .isEqualTo(new Options.Run(
                        new Options(Duration.ofSeconds(5), 3, 2000, 1_000_000, Path.of("target", "benchmark.json"))));
    }

    @Test
    void quickChangesTheDefaultsAndNotWhatIsSaid() {
        assertThat(Options.parse("--quick", "--rounds", "7"))
                .isEqualTo(new Options.Run(
                        new Options(Duration.ofSeconds(2), 7, 2000, 100_000, Path.of("target", "benchmark.json"))));
    }

    @Test
    void aValueStandsBehindABlankOrAnEqualsSign() {
        Options.Run blanks = (Options.Run) Options.parse(
                "--output", "here/figures.json", "--seconds", "1", "--in-flight", "10", "--history", "20");

        assertThat(blanks.options())
                .isEqualTo(new Options(Duration.ofSeconds(1), 3, 10, 20, Path.of("here", "figures.json")));
        assertThat(Options.parse("--output=here/figures.json", "--seconds=1", "--in-flight=10", "--history=20"))
                .isEqualTo(blanks);
    }

    @Test
    void startsAreMeasuredInsteadOfTheWritePath() {
        assertThat(Options.parse("--starts", "app.jar")).isEqualTo(new Options.Starts(Path.of("app.jar"), 5));
        assertThat(Options.parse("--starts=app.jar", "--rounds=1"))
                .isEqualTo(new Options.Starts(Path.of("app.jar"), 1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--outptu=x",
                "figures.json",
                "--output",
                "--seconds=soon",
                "--rounds=0",
                "--history=-1",
                "--output x y",
                "--quick=perhaps"
            })
    void whatIsUnknownOrWrongIsRefusedAndTheUsageShown(String line, CapturedOutput output) {
        assertThat(Options.parse(line.split(" "))).isEqualTo(new Options.Exit(2));
        assertThat(output.getErr()).contains("Usage: ledger-benchmarks", "--output");
        assertThat(output.getOut()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "--quick --help"})
    void helpIsShownAndNothingRuns(String line, CapturedOutput output) {
        assertThat(Options.parse(line.split(" "))).isEqualTo(new Options.Exit(0));
        assertThat(output.getOut())
                .contains("Usage: ledger-benchmarks", "--quick", "--seconds", "--rounds", "--in-flight", "--output");
    }
}
