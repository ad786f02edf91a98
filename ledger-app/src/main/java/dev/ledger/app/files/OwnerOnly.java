package dev.ledger.app.files;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files of mode 0600 in folders of mode 0700, from their first moment; on systems without POSIX rights, the system's own. */
public final class OwnerOnly {

    private static final String FILE = "rw-------";
    private static final String FOLDER = "rwx------";

    private OwnerOnly() {}

    /** One that exists keeps its rights: it was made by somebody who may share it with others on purpose. */
    public static void createFolders(Path folder) throws IOException {
        // A link to a folder is one; createDirectories would refuse it before Java 20.
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(folder, mode(FOLDER));
        }
    }

    public static void createFile(Path file) throws IOException {
        Files.createFile(file, mode(FILE));
    }

    /** Takes the rights to a file from everybody else. */
    public static void restrict(Path file) throws IOException {
        if (hasModes()) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(FILE));
        }
    }

    private static FileAttribute<?>[] mode(String rights) {
        return hasModes()
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))}
                : new FileAttribute<?>[0];
    }

    private static boolean hasModes() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    }
}
