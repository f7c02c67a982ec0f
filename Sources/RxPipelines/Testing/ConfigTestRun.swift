import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxMarbles
import Synchronization

/// A run of one test of a configuration in virtual time, on the calling thread.
struct ConfigTestRun {
    private let test: PlannedTest
    private let virtual = VirtualRun()
    private var scheduler: VirtualTimeScheduler<VirtualMicroseconds> { virtual.scheduler }
    private let log = Log()

    /// The events that nodes have emitted, and the failures.
    private final class Log: Sendable {
        /// An event, or a completion for `nil`, and its time in microseconds.
        typealias Entry = (time: Int, value: JSON?)

        /// The entries and failures so far.
        private struct State {
            var entries: [String: [Entry]] = [:]
            var failures: [String] = []
            /// How many sources the steps of each pipeline have started.
            var started: [String: Int] = [:]
        }

        private let state = Locked(State())

        func add(_ value: JSON?, of node: String, at time: Int) {
            state.withLock { $0.entries[node, default: []].append((time, value)) }
        }

        func entries(of node: String) -> [Entry] { state.withLock { $0.entries[node] ?? [] } }

        func add(failure: String) {
            state.withLock { if !$0.failures.contains(failure) { $0.failures.append(failure) } }
        }

        var failures: [String] { state.withLock { $0.failures } }

        /// The number of the source that now starts in the steps of a pipeline, from 0.
        func nextStart(in pipeline: String) -> Int {
            state.withLock { state in
                defer { state.started[pipeline, default: 0] += 1 }
                return state.started[pipeline, default: 0]
            }
        }
    }

    private init(_ test: PlannedTest) {
        self.test = test
    }

    /// Runs a test of a plan.
    ///
    /// - Returns: what was wrong, one text for each node and each failure; empty if the test has passed.
    static func failures(of test: PlannedTest, in plan: Plan) -> [String] {
        let run = ConfigTestRun(test)
        run.run(plan)
        return run.log.failures + test.expect.compactMap { run.difference(from: $0) }
    }

    private func run(_ plan: Plan) {
        let (scheduler, log) = (scheduler, log)
        let part = plan.under(test, startingAt: scheduler.elapsed) { node, value in
            log.add(value, of: node, at: scheduler.clock)
        }
        // The next frame does not belong to the test.
        virtual.run(part, for: test.length - .microseconds(1), innerEvents: innerEvents) {
            Self.note($0, in: plan, log)
        }
    }

    /// Notes a failure, unless its event goes to a pipeline or sink for failures.
    private static func note(_ error: any Error, in plan: Plan, _ log: Log) {
        let failure = error as? PipelineError
        let pipeline = plan.pipelines.first { $0.name == failure?.pipeline }
        if failure?.failedEvent != nil, pipeline?.failuresTo.isEmpty == false { return }
        log.add(failure: "\(error)")
    }

    /// Makes the events of a source in a pipeline's steps.
    private var innerEvents: Host.InnerEvents {
        { [test, log] kind, context in
            // Deferred, since a source that is retried starts again.
            .deferred {
                let pipeline = context.outer?.pipeline ?? ""
                let diagrams = test.results.first { $0.pipeline.text == pipeline }?.diagrams ?? []
                let number = log.nextStart(in: pipeline)
                if let diagram = number < diagrams.count ? diagrams[number] : diagrams.last {
                    let events = kind.isEndless ? diagram : DiagramSource.once(diagram)
                    return DiagramSource(events: events, values: test.values, start: nil).events(in: context)
                }
                if let kind = kind.inVirtualTime() { return kind.events(in: context) }
                log.add(
                    failure: "the steps of \(pipeline) start a source (\(kind.summary)): say what it emits, under "
                        + "'results: { \(pipeline): … }'")
                return .empty()
            }
        }
    }

    /// Compares what a node has emitted with its diagram; returns `nil` if it is the same.
    private func difference(from expected: PlannedTest.Diagram) -> String? {
        let entries = log.entries(of: expected.node.text)
        let frame = Int(test.frame / .microseconds(1))
        // Events between two frames are shown with a shorter frame: the greatest common divisor of all times.
        let unit = entries.reduce(frame) { Self.greatestCommonDivisor($0, $1.time) }
        var names = MarbleNames(used: test.values.allNames)
        // Equal values have the same text, although their keys may be in another order.
        var own: [JSON: (name: Character, text: String)] = [:]
        func marble(_ time: Int, _ value: JSON) -> Marble {
            let known =
                own[value]
                ?? (
                    test.values.name(of: value) ?? names.name(preferring: value.string ?? value.description),
                    value.description
                )
            own[value] = known
            return Marble(time / unit, .value(known.name), detail: known.text)
        }
        let received = entries.map { time, value in
            value.map { marble(time, $0) } ?? Marble(time / unit, .completion)
        }
        let wanted = expected.events.marbles.map { event in
            guard case .value(let name) = event.mark, let value = test.values[name] else {
                return Marble(event.frame * frame / unit, event.mark)
            }
            return marble(event.frame * frame, value)
        }
        let comparison = MarbleComparison(expected: wanted, received: received, frame: .microseconds(unit)) { index in
            "at \(SystemdDuration.format(.microseconds(index * unit)))"
        }
        if comparison.isEqual { return nil }
        let note = unit == frame ? "" : " (a character is \(SystemdDuration.format(.microseconds(unit))) here)"
        return "\(expected.node.text)\(note):\n\(comparison)"
    }

    private static func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
        other == 0 ? one : greatestCommonDivisor(other, one % other)
    }
}
