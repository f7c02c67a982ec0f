import Glibc

extension Plan {
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
        func failure(_ advice: String) -> Diagnostics {
            let reason = String(cString: strerror(errno))
            return Diagnostics(
                "cannot read the config: \(reason); \(advice)", at: SourceLocation(file: path, line: 1, column: 1))
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure("name another with --config, or make it readable") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= YAMLReader.maximumSize {
            let count = Glibc.read(descriptor, &block, block.count)
            if count < 0 { throw failure("a config is a regular file") }
            if count == 0 { break }
            bytes += block[..<count]
        }
        return bytes
    }
}
