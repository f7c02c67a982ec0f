import Glibc
import Testing

/// A mount that accepts requests and answers none of them as long as this object lives: every access to it blocks.
package final class SilentMount {
    private let path: String
    private var server: Int32

    /// Fails if `/dev/fuse` is missing or the user may not mount.
    package init(_ path: String) throws {
        self.path = path
        server = open("/dev/fuse", O_RDWR | O_CLOEXEC)
        guard server >= 0 else { throw Refusal(doing: "opening /dev/fuse", error: errno) }
        let options = "fd=\(server),rootmode=40000,user_id=\(getuid()),group_id=\(getgid())"
        guard mount("rx-test", path, "fuse", 0, options) == 0 else {
            defer { close(server) }
            throw Refusal(doing: "mounting at \(path)", error: errno)
        }
    }

    /// Ends the server: blocked accesses fail with an error.
    package func end() {
        guard server >= 0 else { return }
        umount2(path, Int32(MNT_DETACH))
        close(server)
        server = -1
    }

    deinit { end() }

    /// The reason why there is no mount.
    private struct Refusal: Error, CustomStringConvertible {
        let doing: String
        let error: Int32

        var description: String { "\(doing): \(String(cString: strerror(error)))" }
    }

    /// Whether tests with such a mount run: where it can be made, and always under `CI`, so that they fail there rather
    /// than being skipped.
    private static let isExpected: Bool = {
        if getenv("CI") != nil { return true }
        let directory = TemporaryDirectory()
        return withExtendedLifetime(directory) {
            guard let mount = try? SilentMount(directory.path) else { return false }
            mount.end()
            return true
        }
    }()

    /// Skips a test, and says so, if such a mount cannot be made.
    package static var condition: ConditionTrait {
        .enabled(
            if: isExpected, "takes /dev/fuse and the right to mount, and is only skipped without CI in the environment")
    }
}
