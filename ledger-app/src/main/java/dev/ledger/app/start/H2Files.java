package dev.ledger.app.start;

import dev.ledger.app.files.OwnerOnly;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The file of an H2 URL: it is made here, since H2 would let everybody on the machine read it. */
final class H2Files {

    /** {@code jdbc:h2:./data/ledger;…} or {@code jdbc:h2:file:…}; one letter before a colon is a drive of Windows. */
    private static final Pattern URL = Pattern.compile("jdbc:h2:(?:file:)?((?:[A-Za-z]:)?[^:;]+)(;.*)?");

    private H2Files() {}

    /**
     * Missing folders are made with mode 0700, the file has 0600 whoever made it; H2 takes an empty file for a new database.
     *
     * @param url of any database; nothing happens if no file is named
     * @throws IOException if folder or file cannot be made or do not belong to the ledger's user
     */
    static void prepare(String url) throws IOException {
        Matcher matcher = URL.matcher(url);
        if (!matcher.matches() || mustExist(matcher.group(2))) {
            return;
        }
        Path file = Path.of(inHome(matcher.group(1)) + ".mv.db").toAbsolutePath();
        if (file.getParent() != null) {
            OwnerOnly.createFolders(file.getParent());
        }
        if (Files.exists(file)) {
            OwnerOnly.restrict(file);
        } else {
            OwnerOnly.createFile(file);
        }
    }

    /** With {@code IFEXISTS=TRUE} a file that is missing is a mistake, and H2 says so. */
    private static boolean mustExist(@Nullable String settings) {
        return settings != null && settings.toUpperCase(Locale.ROOT).contains(";IFEXISTS=TRUE");
    }

    /** As H2 reads it. */
    private static String inHome(String path) {
        return path.startsWith("~") ? System.getProperty("user.home") + path.substring(1) : path;
    }
}
