import Dispatch
import Glibc
import RxDiagnostics
import RxPipelines
import Testing

struct PlanLoadingTests {
    /// The errors of the file at `path`.
    @Test func fileIsRead() throws {
        let file = TemporaryFile(Self.good)
        #expect(try Plan.load(file.path).sources.map(\.name) == ["tick"])
    }

    @Test func errorsHavePath() throws {
        let file = TemporaryFile("sources:\n  tick: {}\n")
        #expect(
            wrong(file.path) == [
                "\(file.path):2:9: expected a source (one of \(Registry.sources.names.joined(separator: ", "))), found an empty mapping"
            ])
    }

    @Test(arguments: [
        ("/nonexistent/a.yaml", "No such file or directory; create it, or name another with --config"),
        ("/dev/null/a.yaml", "Not a directory; make it readable, or name another with --config"),
        ("/dev/zero", "it is a device; a configuration is a file or a pipe"),
        ("/dev/tty", "it is a device; a configuration is a file or a pipe"),
        ("", "No such file or directory; create it, or name another with --config"),
    ])
    func unreadableFileIsError(path: String, reason: String) {
        #expect(wrong(path) == ["\(path):1:1: cannot read the configuration: \(reason)"])
    }

    /// In a process of its own, which drops root privileges if it has them.
    @Test func fileWithoutPermissionIsError() async {
        await #expect(processExitsWith: .success) {
            if geteuid() == 0 {
                setgroups(0, nil)
                setgid(65534)
                setuid(65534)
            }
            let reason = "Permission denied; make it readable, or name another with --config"
            #expect(wrong("/etc/shadow") == ["/etc/shadow:1:1: cannot read the configuration: \(reason)"])
        }
    }

    @Test func nullDeviceIsEmptyConfig() {
        #expect(
            wrong("/dev/null")
                == ["/dev/null:1:1: the configuration has no pipeline; add one under 'pipelines:'"])
    }

    @Test func socketIsNotConfig() throws {
        let ends = try pair { socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, $0) }
        defer { for end in ends { close(end) } }
        let path = "/dev/fd/\(ends[0])"
        #expect(
            wrong(path) == [
                "\(path):1:1: cannot read the configuration: it is a socket; a configuration is a file or a pipe"
            ])
    }

    /// As in `cat rxwatchd.yaml | rxwatchctl check /dev/stdin`, with a slow writer.
    @Test func pipeIsReadToItsEnd() throws {
        let ends = try pair(pipe)
        defer { close(ends[0]) }
        DispatchQueue.global().async { Self.writeSlowly(to: ends[1]) }
        #expect(try Plan.load("/dev/fd/\(ends[0])").pipelines.map(\.name) == ["p"])
    }

    @Test func emptyPipeIsEmptyConfig() throws {
        let ends = try pair(pipe)
        defer { close(ends[0]) }
        close(ends[1])
        #expect(wrong("/dev/fd/\(ends[0])").map { $0.contains(":1:1: the configuration has no pipeline; ") } == [true])
    }

    @Test func fifoIsReadWhenWritten() throws {
        let file = TemporaryFile("")
        unlink(file.path)
        #expect(mkfifo(file.path, 0o600) == 0)
        let path = file.path
        DispatchQueue.global().async { Self.writeSlowly(to: open(path, O_WRONLY)) }
        #expect(try Plan.load(path).pipelines.map(\.name) == ["p"])
    }

    private static let good = "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick } }\n"

    /// The second half is written after the reader has read the first half and waits.
    private static func writeSlowly(to descriptor: Int32) {
        let bytes = Array(good.utf8)
        for half in [bytes[..<20], bytes[20...]] {
            _ = half.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            var waiting: Int32 = 1
            while waiting > 0, ioctl(descriptor, UInt(FIONREAD), &waiting) == 0 { sched_yield() }
        }
        close(descriptor)
    }

    /// The two descriptors that a system call returns.
    private func pair(_ make: (UnsafeMutablePointer<Int32>) -> Int32) throws -> [Int32] {
        var ends: [Int32] = [-1, -1]
        try #require(make(&ends) == 0)
        return ends
    }

    @Test func configLargerThanOneMebibyteIsError() throws {
        let comment = "# " + String(repeating: "x", count: (1 << 20) - 5)
        let fits = TemporaryFile(Self.good + comment.dropLast(Self.good.utf8.count - 2) + "\n")
        #expect(wrong(fits.path) == [])
        let file = TemporaryFile("{} \(comment)\n\n")
        #expect(wrong(file.path) == ["\(file.path):1:1: the file is too large; a configuration file has up to 1 MiB"])
    }

    /// The configurations that are installed, and those that the documentation mentions.
    @Test(arguments: shippedConfigs)
    func shippedConfigsAreValid(path: String) throws {
        #expect(wrong(path) == [])
        #expect(try Plan.load(path).pipelines.contains { !$0.sinks.isEmpty })
    }

    @Test func shippedConfigsExist() {
        #expect(shippedConfigs.contains { $0.hasSuffix("/rxwatchd.yaml") })
        #expect(shippedConfigs.contains { $0.hasSuffix("/examples/demo.yaml") })
    }
}

/// The errors of the configuration at a path.
private func wrong(_ path: String) -> [String] {
    do throws(Diagnostics) {
        _ = try Plan.load(path)
        return []
    } catch {
        return error.list.map(\.description)
    }
}
