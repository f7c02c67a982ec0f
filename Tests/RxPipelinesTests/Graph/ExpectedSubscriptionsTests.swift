import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxPipelines

/// What a plan predicts is what its idle graph has.
@Suite(.balanced, .enabled(if: Resources.isTraced)) struct ExpectedSubscriptionsTests {
    private static let inner = "http: { url: 'http://127.0.0.1:1/' }"

    /// A step, and the subscriptions that it adds at the start.
    private static let steps: [(step: String, count: Int)] = [
        ("buffer: { count: 2 }", 0), ("buffer: { span: 1h }", 1), ("buffer: { span: 1h, count: 2 }", 1),
        ("buffer: { count: 2, skip: 1 }", 0), ("catch: { return: 1 }", 1), ("checkpoint: c", 0), ("compactMap: .a", 0),
        ("concatMap: { \(inner) }", 1), ("debounce: 1s", 1), ("debug: d", 0), ("delay: 1s", 1),
        ("delaySubscription: 1s", 0), ("dematerialize", 0), ("distinctUntilChanged", 0), ("elementAt: 1", 2),
        ("enumerated", 0), ("filter: .a", 0), ("first", 2), ("flatMap: { \(inner) }", 1),
        ("flatMapFirst: { \(inner) }", 1), ("flatMapLatest: { \(inner) }", 1),
        ("groupBy: { key: .a, steps: [first] }", 2), ("ifEmpty: 1", 2), ("ignoreElements", 0), ("map: .a", 0),
        ("materialize", 0), ("pairwise", 0), ("reduce: { seed: 0, next: .value }", 2),
        ("retry: { times: 2, delay: 1s }", 4), ("sample: o", 2), ("scan: { seed: 0, next: .value }", 0), ("single", 2),
        ("single: .a", 2), ("skip: 1", 0), ("skip: { for: 1h }", 0), ("skipUntil: o", 2), ("skipWhile: .a", 0),
        ("startWith: 1", 0), ("tag: t", 0), ("take: 1", 0), ("take: { for: 1h }", 1), ("takeLast: 1", 0),
        ("takeUntil: o", 2), ("takeWhile: .a", 0), ("throttle: 1s", 1), ("timeout: 1h", 1),
        ("timeout: { after: 1h, other: o }", 1), ("timestamp", 0), ("toArray", 0),
        ("window: { count: 2, steps: [map: .b] }", 3), ("window: { count: 2, steps: [first] }", 5),
        ("window: { span: 1h, steps: [map: .b] }", 3), ("withLatestFrom: o", 1),
    ]

    @Test(arguments: steps)
    func stepAddsSubscriptions(step: String, count: Int) throws {
        let entry = step.contains(":") ? "{ \(step) }" : step
        try expect(
            ["p": 4 + count], in: "p: { from: s, steps: [\(entry)], to: [stdout] }, q: { from: o, to: [stdout] }")
    }

    @Test func everyStepIsInTable() {
        let names = Set(Self.steps.map { String($0.step.prefix { $0 != ":" }) })
        #expect(names == Set(Registry.steps.names))
    }

    @Test(arguments: [
        ("p: { from: s, steps: [{ takeUntil: o }, first, { debounce: 1s }, { map: .a }], to: [stdout] }", ["p": 9]),
        ("p: { merge: [s, o, t], to: [stdout] }", ["p": 7]), ("p: { zip: { x: s, y: o }, to: [stdout] }", ["p": 6]),
        ("p: { concat: [s, o, t], to: [stdout] }", ["p": 5]), ("p: { amb: [s, o, t], to: [stdout] }", ["p": 7]),
        ("p: { combineLatest: { x: s, y: o }, steps: [{ delay: 1s }], to: [stdout] }", ["p": 7]),
        ("a: { from: s }, b: { from: s }, p: { merge: [a, b], to: [stdout] }", ["a": 3, "b": 3, "p": 6]),
        ("p: { from: s, to: [stdout, journal: x, http: 'http://127.0.0.1:1/', file: /none/x] }", ["p": 4]),
        ("p: { from: s }, q: { from: p, to: [stdout] }, r: { from: p, to: [stdout] }", ["p": 3, "q": 4, "r": 4]),
        ("p: { from: s, share: { replay: 0 }, to: [stdout] }, q: { from: p, to: [stdout] }", ["p": 4, "q": 4]),
        ("p: { from: s, share: { scope: forever }, onError: stop, to: [stdout] }", ["p": 4]),
        ("p: { from: s, onError: { to: q }, to: [stdout] }, q: { from: onError, to: [stdout] }", ["p": 4, "q": 6]),
        ("p: { from: s, onError: { to: q }, to: [stdout] }, q: { from: s, to: [stdout] }", ["p": 4, "q": 8]),
        ("p: { from: s, onError: { to: q }, to: [stdout] }, q: { merge: [s, o], to: [stdout] }", ["p": 4, "q": 10]),
        ("p: { from: s, onError: { to: [stdout] }, to: [stdout] }", ["p": 4, "p/onError": 6]),
        // It does not run.
        ("p: { from: s, to: [stdout] }, idle: { from: s, steps: [first] }", ["p": 4, "idle": 0]),
    ])
    func pipelineHasPredictedSubscriptions(pipelines: String, counts: [String: Int]) throws {
        try expect(counts, in: pipelines)
    }

    /// Steps that start sources, or steps of their own, for events have no constant number.
    @Test func pipelineVariesIfOneOfItsStepsDoes() throws {
        let plan = try Plan.read(
            Self.config(
                "p: { from: s, steps: [first, { flatMap: { \(Self.inner) } }], to: [stdout, stdout] }, "
                    + "q: { from: s, steps: [first], to: [stdout] }"
            ).utf8, file: "t.yaml")
        let expected = plan.pipelines.map { ExpectedSubscriptions($0, isRunning: true, Resources.Account($0.name)) }
        #expect(expected.map(\.varies) == [true, false])
        #expect(expected.map(\.allowance) == [16, 8])
        #expect(expected.first?.steps.map(\.name) == ["first", "flatMap"])
        #expect(expected.first?.steps.map(\.varies) == [false, true])
        #expect(expected.first?.steps.map(\.count) == [2, 1])
    }

    private static func config(_ pipelines: String) -> String {
        "sources: { s: { interval: 1h }, o: { interval: 1h }, t: { interval: 1h } }\npipelines: { \(pipelines) }"
    }

    /// Starts a graph, with and without saved state, and compares what it has and what is predicted with these numbers.
    private func expect(_ counts: [String: Int], in pipelines: String) throws {
        let ignore: @Sendable (Graph.Change) -> Void = { _ in }
        for onChange in [nil, ignore] {
            let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
            let graph = try Graph(of: Self.config(pipelines), on: scheduler, onChange: onChange)
            graph.start { _ in }
            scheduler.advanceTo(0)
            for expected in graph.expectedSubscriptions {
                guard let count = counts[expected.account.name] else { continue }
                #expect(expected.account.count(of: .subscription) == count, "\(expected.account.name) has it")
                #expect(expected.total == count, "\(expected.account.name) is predicted")
            }
            #expect(Set(counts.keys).isSubset(of: graph.expectedSubscriptions.map(\.account.name)))
            graph.dispose()
            scheduler.start()
        }
    }
}
