import Glibc

extension Plan {
    /// Where the config is unless another is named.
    package static let standardPath = "/etc/rxwatchd/rxwatchd.yaml"

    /// Reads the config file at `path`, or throws everything that is wrong with it.
    package static func load(_ path: String) throws(Diagnostics) -> Plan {
        try read(bytes(of: path), file: path)
    }

    /// The plan in a line: "1 source, 2 pipelines".
    package var summary: String {
        "\(counted(sources.count, "source")), \(counted(pipelines.count, "pipeline"))"
    }

    private func counted(_ count: Int, _ thing: String) -> String {
        "\(count) \(thing)\(count == 1 ? "" : "s")"
    }

    /// Reads one byte more than a config may have, so that too long a file is found to be so.
    private static func bytes(of path: String) throws(Diagnostics) -> [UInt8] {
        func failure(_ reason: String, _ advice: String) -> Diagnostics {
            Diagnostics(
                "cannot read the config: \(reason); \(advice)", at: SourceLocation(file: path, line: 1, column: 1))
        }
        func systemFailure() -> Diagnostics {
            failure(String(cString: strerror(errno)), "name another with --config, or make it readable")
        }
        // Asked before it is opened: opening alone can set a device going. A pipe that nobody writes to yet is waited for.
        var status = stat()
        guard stat(path, &status) == 0 else { throw systemFailure() }
        if let kind = unreadable(status) { throw failure("it is \(kind)", "a config is a file or a pipe") }
        let descriptor = uninterrupted { open(path, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw systemFailure() }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= YAMLReader.maximumSize {
            let count = uninterrupted { Glibc.read(descriptor, &block, block.count) }
            if count < 0 { throw systemFailure() }
            if count == 0 { break }
            bytes += block[..<count]
        }
        return bytes
    }

    /// What it is, where that has no end, or no bytes. The null device passes for the empty file it is used as.
    private static func unreadable(_ status: stat) -> String? {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: "a directory"
        case S_IFSOCK: "a socket"
        case S_IFBLK: "a device"
        case S_IFCHR: status.st_rdev == nullDevice ? nil : "a device"
        default: nil
        }
    }

    /// Major 1, minor 3.
    private static let nullDevice: dev_t = 0x103

    private static func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
