package dev.ledger.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator can set and what docs/operations.md says can be set are the same, by their whole names. */
class DocumentedPropertiesTest {

    /** Three parts at least: the scopes of a JWT have two. An index ends it: elements of a list are not in the metadata. */
    private static final Pattern NAME = Pattern.compile("(?<![\\w./-])ledger(?:\\.[a-z0-9]+(?:-[a-z0-9]+)*){2,}");

    private final Map<String, String> descriptions = metadata();
    private final String operations = operations();

    @Test
    void everyPropertyIsInTheDocumentation() {
        assertThat(descriptions).isNotEmpty();
        assertThat(names(withoutMetrics())).containsAll(descriptions.keySet());
    }

    @Test
    void everyPropertyOfTheDocumentationIsThere() {
        Set<String> named = names(withoutMetrics());
        named.removeAll(names(metrics()));
        assertThat(named).isSubsetOf(descriptions.keySet());
    }

    @Test
    void everyPropertySaysWhatItIs() {
        assertThat(descriptions)
                .allSatisfy(
                        (name, description) -> assertThat(description).as(name).isNotBlank());
    }

    private static Map<String, String> metadata() {
        Map<String, String> descriptions = new TreeMap<>();
        try {
            for (URL file : Collections.list(DocumentedPropertiesTest.class
                    .getClassLoader()
                    .getResources("META-INF/spring-configuration-metadata.json"))) {
                try (InputStream content = file.openStream()) {
                    for (JsonNode property : new JsonMapper().readTree(content).path("properties")) {
                        String name = property.path("name").asString();
                        if (name.startsWith("ledger.")) {
                            descriptions.put(name, property.path("description").asString(""));
                        }
                    }
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return descriptions;
    }

    /** Tests run in the folder of their module. */
    private static String operations() {
        try {
            return Files.readString(Path.of("..", "docs", "operations.md"), UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Names of metrics look like names of properties. */
    private String metrics() {
        int begin = operations.indexOf("\n## Metrics\n");
        int end = operations.indexOf("\n## ", begin + 1);
        assertThat(begin).isPositive();
        return operations.substring(begin, end < 0 ? operations.length() : end);
    }

    private String withoutMetrics() {
        return operations.replace(metrics(), "");
    }

    private static Set<String> names(String text) {
        return NAME.matcher(text).results().map(MatchResult::group).collect(toCollection(TreeSet::new));
    }
}
