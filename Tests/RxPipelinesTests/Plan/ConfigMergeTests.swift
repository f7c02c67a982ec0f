import RxDiagnostics
import Testing

@testable import RxPipelines

struct ConfigMergeTests {
    private func read(_ texts: String...) throws(Diagnostics) -> Plan {
        let files = texts.enumerated().map { (path: "\($0.offset).yaml", bytes: Array($0.element.utf8)) }
        return try LoadedConfig(files, Substitution()).plan
    }

    private func wrong(_ texts: String...) -> [String] {
        do throws(Diagnostics) {
            let files = texts.enumerated().map { (path: "\($0.offset).yaml", bytes: Array($0.element.utf8)) }
            _ = try LoadedConfig(files, Substitution())
            return []
        } catch {
            return error.list.map(\.description)
        }
    }

    private let base = """
        daemon: { resources: 10s, drain: 1s }
        sources: { a: { interval: 1s }, b: { interval: { every: 2s, delay: 1s } } }
        pipelines: { p: { from: a, steps: [take: 1], to: [stdout] } }
        """

    @Test func nodeIsReplacedEntirely() throws {
        let plan = try read(base, "sources: { b: { interval: 5s } }\npipelines: { p: { from: b } }")
        #expect(plan.sources.map { "\($0.name) \($0.kind.summary)" } == ["a every 1s", "b every 5s"])
        let pipeline = try #require(plan.pipelines.first)
        #expect(pipeline.dependencies == ["b"] && pipeline.steps.isEmpty && pipeline.sinks.isEmpty)
        #expect((plan.sources.last?.kind as? IntervalSource)?.schedule.delay == .seconds(5))
    }

    @Test func lastDefinitionWins() throws {
        let plan = try read(base, "sources: { a: { interval: 5s } }", "sources: { a: { interval: 7s } }")
        #expect(plan.sources.map(\.kind.summary) == ["every 7s", "every 2s"])
    }

    @Test func daemonSettingsAreReplacedOneByOne() throws {
        let plan = try read(base, "daemon: { drain: 9s }", "daemon:")
        #expect(plan.resourcesEvery == .seconds(10) && plan.drainWithin == .seconds(9))
    }

    @Test func fileMayReferToNodesOfOthers() throws {
        let plan = try read("pipelines: { q: { from: p } }", base, "", "pipelines:")
        #expect(plan.pipelines.map(\.name) == ["p", "q"])
    }

    /// Sources and pipelines are nodes, which share one namespace.
    @Test func pipelineReplacesSourceOfItsName() throws {
        let plan = try read(base, "pipelines: { b: { from: a }, q: { from: b } }")
        #expect(plan.sources.map(\.name) == ["a"])
        #expect(plan.pipelines.map { "\($0.name) < \($0.dependencies.joined())" } == ["p < a", "b < a", "q < b"])
        let back = try read(base, "sources: { p: { interval: 3s } }", "pipelines: { x: { from: p } }")
        #expect(back.sources.map(\.name) == ["a", "b", "p"] && back.pipelines.map(\.name) == ["x"])
    }

    @Test func duplicateNameInOneFileIsError() {
        #expect(
            wrong(base, "sources: { x: { interval: 1s }, x: { interval: 2s } }")
                == ["1.yaml:1:33: the key 'x' is already given at 1.yaml:1:12; keep one of them"])
        #expect(
            wrong(base, "sources: { x: { interval: 1s } }\npipelines: { x: { from: a } }")
                == ["1.yaml:2:14: 'x' is already the name of a source or pipeline, at line 1; choose another"])
        // This holds also if an earlier file defines the name.
        #expect(wrong(base, "sources: { a: { interval: 1s } }\npipelines: { a: { from: b } }").count == 1)
    }

    /// A replaced node is not checked.
    @Test func replacedErrorIsNotReported() throws {
        #expect(wrong("sources: { a: { intervall: 1s } }\npipelines: { p: { from: a } }") != [])
        let plan = try read("sources: { a: { intervall: 1s } }\npipelines: { p: { from: a } }", base)
        #expect(plan.summary == "2 sources, 1 pipeline")
    }

    @Test(arguments: [
        ("[]", "1.yaml:1:1: the configuration needs a mapping, found an empty list"),
        ("sources: []", "1.yaml:1:10: 'sources' needs a mapping, found an empty list"),
        ("pipelines: 1", "1.yaml:1:12: 'pipelines' needs a mapping, found '1'"),
        ("daemon: 1", "1.yaml:1:9: 'daemon' needs a mapping, found '1'"),
        ("surces: {}", "1.yaml:1:1: unknown key 'surces' in the configuration; did you mean 'sources'?"),
        ("daemon: { drian: 1s }", "1.yaml:1:11: unknown key 'drian' in daemon; did you mean 'drain'?"),
        (
            "pipelines: { q: { from: nobody } }",
            "1.yaml:1:25: there is no source or pipeline 'nobody'; there are a, b, p, q"
        ),
        ("sources: { c: { interval: ${NONE:?no} } }", "1.yaml:1:28: not YAML"),
        ("sources: { c: { interval: '${NONE:?no}' } }", "1.yaml:1:28: NONE: no"),
    ])
    func errorsAreReportedOnce(text: String, expected: String) {
        let found = wrong(base, text)
        #expect(found.count == 1 && found[0].hasPrefix(expected), "\(found)")
    }

    @Test func missingPipelineIsErrorOfFirstFile() {
        #expect(wrong("", "").map { $0.prefix(11) } == ["0.yaml:1:1:"])
    }
}
