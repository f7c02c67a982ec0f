import Glibc

/// A file system of its own, whose changes the kernel reports, mounted as long as this object lives.
package final class OverlayMount {
    private let path: String
    private let layers = TemporaryDirectory()

    /// Fails if the user may not mount.
    package init(_ path: String) throws {
        self.path = path
        try mount()
    }

    /// Mounts the same files again.
    package func mount() throws {
        for name in ["lower", "upper", "work"] { mkdir(layers(name), 0o755) }
        let options = "lowerdir=\(layers("lower")),upperdir=\(layers("upper")),workdir=\(layers("work"))"
        guard Glibc.mount("rx-test", path, "overlay", 0, options) == 0 else {
            throw Refusal(path: path, error: errno)
        }
    }

    /// Removes the mount.
    package func end() { umount2(path, Int32(MNT_DETACH)) }

    deinit { end() }

    /// The reason why there is no mount.
    private struct Refusal: Error, CustomStringConvertible {
        let path: String
        let error: Int32

        var description: String { "mounting an overlay at \(path): \(String(cString: strerror(error)))" }
    }
}
