import ConfigTestSupport
import Glibc
import RxDiagnostics
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// What `rxwatchctl show` prints.
@Suite(.balanced) struct ConfigShowTests {
    private let folder = TemporaryDirectory()

    @Test func mergedConfigIsShown() throws {
        folder.write(
            "rxwatchd.yaml", "daemon: {drain: 2s}\nsources: {tick: {interval: '${EVERY:-10s}'}, old: {interval: 1s}}")
        mkdir(folder("rxwatchd.d"), 0o755)
        folder.write(
            "rxwatchd.d/a.yaml",
            """
            sources: {old: {interval: 2s}}
            pipelines: {p: {from: tick, to: [http: {url: 'http://127.0.0.1:1', headers: {x: 'Bearer ${credential:key}'}}]}}
            """)
        let (main, part) = (folder("rxwatchd.yaml"), folder("rxwatchd.d/a.yaml"))
        mkdir(folder("credentials"), 0o700)
        folder.write("credentials/key", "very secret")
        let answer = ConfigShow.answer(
            folder.path, Substitution(environment: ["CREDENTIALS_DIRECTORY": folder("credentials")]))
        #expect(
            answer.message == """
                daemon:
                  # \(main):1:10
                  drain: 2s
                sources:
                  # \(main):2:11
                  tick:
                    interval: 10s
                  # \(part):1:11
                  old:
                    interval: 2s
                pipelines:
                  # \(part):2:13
                  p:
                    from: tick
                    to:
                      - http:
                          url: "http://127.0.0.1:1"
                          headers:
                            x: "Bearer ${credential:key}"
                """)
        #expect(answer.exitCode == 0 && answer.details["files"] == [.string(main), .string(part)])
        #expect(answer.details["origins"]?["sources.old"]?.string == "\(part):1:11")
        #expect(answer.details["config"]?["sources"]?["old"]?["interval"] == "2s")
    }

    /// The text of each shipped configuration is the same configuration.
    @Test(arguments: shippedConfigs) func shownConfigIsTheSame(path: String) throws {
        let shown = ConfigShow.answer(path)
        #expect(shown.exitCode == 0, "\(shown.message)")
        let (plan, again) = (
            try Plan.load(path, Substitution.ofProcess(isCheck: true)),
            try Plan.read(shown.message.utf8, file: "s.yaml")
        )
        #expect(again.sources.map(\.kind.summary) == plan.sources.map(\.kind.summary))
        #expect(
            again.pipelines.map(\.name) == plan.pipelines.map(\.name)
                && again.tests.map(\.name) == plan.tests.map(\.name))
        #expect(again.pipelines.map { $0.steps.count } == plan.pipelines.map { $0.steps.count })
    }

    @Test func errorsAreShown() {
        folder.write("c.yaml", "sources: {tick: {intervall: 10s}}")
        #expect(ConfigShow.answer(folder("c.yaml")).exitCode == 78)
    }
}
