import RxControl
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// The configurations of the README do what it says.
struct ReadmeTests {
    private let blocks: [String]

    init() throws {
        blocks = try text(of: "\(repository)/README.md").components(between: "```yaml\n", and: "```\n")
    }

    private func block(_ beginning: String) throws -> String {
        try #require(blocks.first { $0.contains(beginning) }, "no configuration of the README has '\(beginning)'")
    }

    private func check(_ config: String) throws {
        let folder = TemporaryDirectory()
        folder.write("c.yaml", config)
        let answer = ConfigCheck.answer(folder("c.yaml"), isStrict: true) { ServiceSandbox() }
        // Its paths do not exist here.
        #expect(answer.details["warnings"] == [], "\(answer.message)")
        #expect(answer.details["errors"] == nil, "\(answer.message)")
        let tests = ConfigTests.answer(folder("c.yaml"))
        #expect(tests.exitCode == ExitCode.success, "\(tests.message)")
    }

    @Test func configsAreValid() throws {
        #expect(blocks.count == 5)
        try check(block("api-down:\n    from: api") + block("tests:\n"))
        try check(block("every-tenth:"))
        try check("sources: { uploaded: { files: /srv/uploads } }\n" + block("uploads:"))
    }

    /// nginx is reloaded when a certificate changes while the API is down, and not when the API comes up or goes down again.
    @Test func certificateIsRenewedOnce() throws {
        try check(
            block("renew:") + """
                tests:
                  renewed-once:
                    frame: 15s
                    inputs: { api: "-uddd-d-uddd-u-", certs: "------c--------c" }
                    values:
                      u: { ok: true }
                      d: { ok: false }
                      c: { path: /etc/ssl/site/a.pem }
                      r: { cert: { path: /etc/ssl/site/a.pem }, down: true }
                    expect: { renew: "------r---------" }

                """)
    }
}

extension String {
    fileprivate func components(between start: String, and end: String) -> [String] {
        split(separator: start).dropFirst().compactMap { $0.split(separator: end).first.map(String.init) }
    }
}
