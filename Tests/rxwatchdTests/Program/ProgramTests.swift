import Glibc
import Testing

@testable import rxwatchd

/// The program as its user sees it: arguments in, lines and an exit code out.
struct ProgramTests {
    private static let good = "sources: { tick: { interval: 1s } }\npipelines: { p: { from: tick, to: [stdout] } }\n"

    @Test func checkReportsValidConfig() async throws {
        let config = try ConfigFile(Self.good)
        let child = try Child("--check", "--config", config.path)
        #expect(try await child.exitCode() == 0)
        #expect(child.outputLines == ["\(config.path): valid: 1 source, 1 pipeline"])
        #expect(child.errorLines == [])
    }

    @Test(arguments: [true, false])
    func invalidConfigIsRefusedWithLocations(isCheck: Bool) async throws {
        let config = try ConfigFile("sources:\n  tick: { intrval: 1s }\npipelines:\n  p: { from: tick, too: [] }\n")
        let child = try isCheck ? Child("--check", "--config", config.path) : Child("--config", config.path)
        #expect(try await child.exitCode() == 78)
        #expect(child.outputLines == [])
        for error in [
            ":2:11: unknown source 'intrval'; did you mean 'interval'?",
            ":4:20: unknown key 'too' in the pipeline; did you mean 'to'?",
        ] {
            #expect(child.errorLines.count { $0.hasSuffix(config.path + error) } == 1, "\(child.errorLines)")
        }
    }

    @Test func missingConfigIsError() async throws {
        let child = try Child("--config", "/nonexistent/a.yaml")
        #expect(try await child.exitCode() == 78)
        #expect(
            child.errorLines.last?.contains("/nonexistent/a.yaml:1:1: cannot read the configuration: No such file")
                == true)
    }

    /// The configuration is a pipe without a writer: a stop ends the wait, and a reload does not begin to wait.
    @Test func stopEndsWaitForPipe() async throws {
        let config = try ConfigFile(Self.good)
        let running = try Child("--config", config.path)
        try await running.said("ready")
        unlink(config.path)
        #expect(mkfifo(config.path, 0o600) == 0)
        running.send(SIGHUP)
        try await running.said(
            "cannot read the configuration: it is a pipe whose writer has not closed it")
        running.send(SIGTERM)
        #expect(try await running.exitCode() == 0)

        let starting = try Child("--config", config.path)
        try await starting.said("is starting")
        starting.send(SIGTERM)
        #expect(try await starting.exitCode() == -SIGTERM)
    }

    @Test func versionIsPrinted() async throws {
        let child = try Child("--version")
        #expect(try await child.exitCode() == 0)
        #expect(child.outputLines.count == 1 && child.outputLines[0].hasPrefix("rxwatchd 0."))
    }

    @Test func usageIsPrinted() async throws {
        let child = try Child("--help")
        #expect(try await child.exitCode() == 0)
        #expect(child.outputLines.first == "usage: rxwatchd [--config PATH] [--check | --resources]")
        #expect(child.errorLines == [])
    }

    @Test func invalidArgumentsAreErrors() async throws {
        let child = try Child("--chekc")
        #expect(try await child.exitCode() == 1)
        #expect(child.errorLines == ["rxwatchd: unknown option '--chekc'; did you mean --check?"])
        #expect(child.outputLines == [])
    }
}
