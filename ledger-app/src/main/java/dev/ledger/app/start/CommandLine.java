package dev.ledger.app.start;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/** Answers what is asked about the program itself, before anything of it starts. */
public final class CommandLine {

    private static final String HELP = "--help";
    private static final String VERSION = "--version";
    private static final String BUILD_INFO = "/META-INF/build-info.properties";

    private static final String USAGE = """
            Usage: java -jar ledger-app.jar [--property=value ...]

            Every option is a Spring property: an argument as here, an environment variable
            (SERVER_PORT), or a line of application.yaml in the working directory.

              --server.port=8080                            where callers connect
              --spring.datasource.url=jdbc:postgresql://localhost/ledger
              --spring.datasource.username=ledger
              --spring.datasource.password=secret           without these three: H2, in ./data
              --ledger.start.wait-for-database=30s          how long a server may take to come
              --ledger.security.initial-key-file=data/initial-key
                                                            where the first start writes the key that it makes
              --logging.structured.format.console=ecs       logs as JSON, a line each
              --debug                                       logs of the start in detail

              --help                                        this text
              --version                                     version, time of the build, Java

            All properties, limits, metrics and service files: docs/operations.md
            Stop: Ctrl-C or SIGTERM; what was accepted is finished first.""";

    private CommandLine() {}

    /** @return whether a question was answered, so that nothing is to be started */
    public static boolean answers(String[] arguments, PrintStream out) {
        List<String> asked = Arrays.asList(arguments);
        if (asked.contains(HELP)) {
            out.println(USAGE);
        } else if (asked.contains(VERSION)) {
            out.println(version());
        } else {
            return false;
        }
        return true;
    }

    /** In classes that no build has packaged there is no build to tell of. */
    static String version() {
        Properties build = new Properties();
        try (InputStream in = CommandLine.class.getResourceAsStream(BUILD_INFO)) {
            if (in != null) {
                build.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "Ledger " + build.getProperty("build.version", "(not packaged)")
                + part("build ", build.getProperty("build.commit", ""))
                + part("built ", build.getProperty("build.time", ""))
                + part("Java ", System.getProperty("java.version", ""));
    }

    private static String part(String name, String value) {
        return value.isEmpty() ? "" : ", " + name + value;
    }
}
