import Glibc
import RxPipelines
import Testing

struct PlanLoadingTests {
    /// What is wrong with the file at `path`.
    private func wrong(_ path: String) -> [String] {
        do throws(Diagnostics) {
            _ = try Plan.load(path)
            return []
        } catch {
            return error.list.map(\.description)
        }
    }

    @Test func aFileIsRead() throws {
        let file = try TemporaryFile("sources: { tick: { interval: 1s } }")
        #expect(try Plan.load(file.path).sources.map(\.name) == ["tick"])
    }

    @Test func mistakesCarryThePath() throws {
        let file = try TemporaryFile("sources:\n  tick: {}\n")
        #expect(wrong(file.path) == ["\(file.path):2:9: expected a source: one of interval, found a mapping"])
    }

    @Test(arguments: [
        ("/nonexistent/a.yaml", "No such file or directory; name another with --config, or make it readable"),
        ("/dev/null/a.yaml", "Not a directory; name another with --config, or make it readable"),
        ("/", "Is a directory; a config is a regular file"),
        ("", "No such file or directory; name another with --config, or make it readable"),
    ])
    func whatCannotBeRead(path: String, reason: String) {
        #expect(wrong(path) == ["\(path):1:1: cannot read the config: \(reason)"])
    }

    @Test(.disabled(if: geteuid() == 0, "root reads everything")) func whatMayNotBeRead() throws {
        let file = try TemporaryFile("{}")
        chmod(file.path, 0)
        let reason = "Permission denied; name another with --config, or make it readable"
        #expect(wrong(file.path) == ["\(file.path):1:1: cannot read the config: \(reason)"])
    }

    @Test func aFifoDoesNotKeepAnyoneWaiting() throws {
        let file = try TemporaryFile("")
        unlink(file.path)
        #expect(mkfifo(file.path, 0o600) == 0)
        #expect(wrong(file.path) == [])
    }

    @Test func moreThanAMebibyteIsNoConfig() throws {
        let comment = "# " + String(repeating: "x", count: (1 << 20) - 5)
        let fits = try TemporaryFile("{} \(comment.dropLast(1))\n")
        #expect(wrong(fits.path) == [])
        let file = try TemporaryFile("{} \(comment)\n\n")
        #expect(wrong(file.path) == ["\(file.path):1:1: the file has more than 1 MiB; a config is smaller"])
    }

    /// What a user finds installed, and what the documentation points at.
    @Test(arguments: shipped)
    func whatIsShippedIsGood(path: String) throws {
        #expect(wrong(path) == [])
        #expect(try Plan.load(path).pipelines.contains { !$0.sinks.isEmpty })
    }

    @Test func somethingIsShipped() {
        #expect(Self.shipped.contains { $0.hasSuffix("/rxwatchd.yaml") })
        #expect(Self.shipped.contains { $0.hasSuffix("/examples/demo.yaml") })
    }

    private static let shipped = ["Config", "Config/examples"].flatMap { folder in
        names(in: "\(repository)/\(folder)").filter { $0.hasSuffix(".yaml") }.map { "\(repository)/\(folder)/\($0)" }
    }
}
