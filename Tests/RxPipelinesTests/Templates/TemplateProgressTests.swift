import RxEngine
import RxEngineTest
import RxJQ
import RxJSON
import TestSupport
import Testing

@testable import RxPipelines

/// To the watchdog, a pipeline that evaluates one long template after the other makes progress.
@Suite(.balanced) struct TemplateProgressTests {
    /// Counts requests, and returns no output.
    private final class Evaluator: JQEvaluator {
        let clients = Cell<[ObjectIdentifier?]>([])

        func evaluate(
            _ request: [UInt8], of expression: JQIdentity, for client: JQClient?
        ) throws(JQError) -> [UInt8] {
            clients.append(client.map { ObjectIdentifier($0) })
            return JQEvaluation().reply(to: request)
        }
    }

    // Sinks that finish on a thread of their own are left out: time is virtual.
    @Test(arguments: [
        ("", #"journal: "{{[range(2)]}}""#, 1), ("", #"journal: { message: "x", fields: { A: "{{[range(2)]}}" } }"#, 1),
        ("", #"file: { path: "/dev/null", format: "{{[range(2)]}}" }"#, 1),
        ("map: '[range(2)]'", "stdout", 1),
    ])
    func templateEvaluationsCountAsProgress(step: String, sink: String, count: Int) throws {
        let evaluator = Evaluator()
        let config = """
            sources: { s: { interval: { every: 10s } } }
            pipelines: { p: { from: s, steps: [\(step)], to: [\(sink)] } }
            """
        let plan = try LoadedConfig([("t.yaml", Array(config.utf8))], Substitution(), JQLibrary(evaluator: evaluator))
            .plan
        let rig = Rig(plan)
        let watched = try #require(rig.graph?.watchedSchedulers.first)
        rig.start()
        #expect(watched.progress() == 0)
        rig.scheduler.advanceTo(15)
        #expect(watched.progress() == count && evaluator.clients.value.count == count)
        #expect(Set(evaluator.clients.value).count == 1 && evaluator.clients.value.first != .some(nil))
        rig.drop()
    }
}
