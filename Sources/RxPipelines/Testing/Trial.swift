import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux

/// A run of some events through the pipelines of a configuration in virtual time, in which nothing acts.
///
/// Sources emit nothing but these events, sinks say what they would do, and sources in steps emit given results.
struct Trial {
    /// Something that has happened in a trial.
    struct Entry: Sendable, Equatable {
        /// The kind of an entry, with its details.
        enum Kind: Sendable, Equatable {
            /// The node has emitted a value.
            case emitted(JSON)
            /// A sink would do this.
            case action(SinkAction)
            /// The steps would start a source.
            case started(String)
            case failed(String)
            /// The node does not run, for this reason.
            case idle(String)
            /// A step, at this location, has passed none of `count` events, since these nodes emitted nothing if there
            /// are any.
            case withheld(step: String, at: String, count: Int, without: [String])
            /// The pipeline combines events in this way, and has emitted nothing, since these nodes emitted nothing.
            case uncombined(String, without: [String])
        }

        /// After the beginning, in microseconds.
        let time: Int
        /// The node, or `PIPELINE/SINK`.
        let node: String
        let kind: Kind
    }

    let plan: Plan
    let inputs: [TrialInput]
    /// The value that the source in the steps of a pipeline emits, by the name of the pipeline.
    var results: [String: JSON] = [:]
    /// The virtual time after the last event.
    var length = Duration.seconds(3600)
    /// Whether events of a pipeline are those that it has emitted, and not those that it gets.
    var isRecording = false

    /// The most that may happen in a trial.
    private static let maximumEntries = 200_000

    /// The inputs, without those that follow from others: the events of a pipeline that takes events of a node in the
    /// recording.
    private var ownInputs: [TrialInput] {
        guard isRecording else { return inputs }
        let given = Set(inputs.map(\.node))
        let derived = plan.nodes(reachedFrom: given, including: false)
        return inputs.filter { !derived.contains($0.node) }
    }

    /// Runs the trial.
    ///
    /// - Returns: what has happened, in order, and whether that is all.
    func run() -> (entries: [Entry], isWhole: Bool) {
        let run = VirtualRun()
        let entries = Locked<[Entry]>([])
        let log: @Sendable (String, Entry.Kind) -> Void = { [scheduler = run.scheduler] node, kind in
            let entry = Entry(time: scheduler.clock, node: node, kind: kind)
            let isFull = entries.withLock { entries in
                if entries.count < Self.maximumEntries { entries.append(entry) }
                return entries.count == Self.maximumEntries
            }
            if isFull { scheduler.stop() }
        }
        let innerEvents: Host.InnerEvents = { [results] kind, context in
            .deferred {
                let pipeline = context.outer?.pipeline ?? ""
                if results[pipeline] == nil, let kind = kind.inVirtualTime() { return kind.events(in: context) }
                log(pipeline, .started(kind.detail))
                return results[pipeline].map { .just($0) } ?? .empty()
            }
        }
        let inputs = ownInputs
        let last = inputs.map(\.time).max() ?? .zero
        let passages = Locked<[String: [Int]]>([:])
        let emitters = Locked<Set<String>>([])
        let trialPlan = plan.under(inputs, isRecording, passages, emitters, log)
        run.run(trialPlan, for: last + length, innerEvents: innerEvents) { error in
            guard let failure = error as? PipelineError, let pipeline = failure.pipeline else {
                return log("", .failed("\(error)"))
            }
            let node = failure.sink.map { "\(pipeline)/\($0)" } ?? pipeline
            log(node, .failed("\(failure.cause.withoutCheckpoints)\(failure.consequence)"))
        }
        var all = Self.merged(unheard(in: trialPlan, inputs), entries.withLock { $0 })
        let isWhole = all.count < Self.maximumEntries
        guard isWhole else { return (all, false) }
        let emitted = emitters.withLock { $0 }
        let outcomes = Set(all.compactMap(\.outcomeNode))
        let held = withheld(passages.withLock { $0 }, emitted, exceptFor: outcomes)
        all += (held + uncombined(emitted, in: trialPlan, exceptFor: outcomes)).map {
            Entry(time: Int(((last + length) / .microseconds(1)).rounded()), node: $0, kind: $1)
        }
        return (all, true)
    }

    /// The events of nodes from which nothing that runs takes them, which no run would show, and that it is so.
    private func unheard(in trialPlan: Plan, _ inputs: [TrialInput]) -> [Entry] {
        let running = trialPlan.runningPipelines
        let nodes = trialPlan.sources.map(\.name).filter { !running.contains($0) }
        let taken = Set(plan.pipelines.flatMap(\.dependencies))
        return nodes.flatMap { node -> [Entry] in
            let own = inputs.filter { $0.node == node && !$0.isInitial }
            if own.isEmpty { return [] }
            let reason = taken.contains(node) ? Plan.idleSourceReason : "no pipeline takes its events"
            return [Entry(time: 0, node: node, kind: .idle(reason))]
                + own.sorted { $0.time < $1.time }.map {
                    Entry(time: Int(($0.time / .microseconds(1)).rounded()), node: node, kind: .emitted($0.value))
                }
        }
    }

    /// Both lists in the order of time.
    private static func merged(_ one: [Entry], _ other: [Entry]) -> [Entry] {
        if one.isEmpty { return other }
        return (one + other).enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    /// The steps at which all events of a pipeline have ended.
    ///
    /// - Parameters:
    ///   - passages: the numbers of events that each step of the pipelines got.
    ///   - emitters: the nodes that have emitted events.
    ///   - others: the pipelines that have emitted or failed.
    private func withheld(
        _ passages: [String: [Int]], _ emitters: Set<String>, exceptFor others: Set<String>
    ) -> [(node: String, kind: Entry.Kind)] {
        plan.pipelines.compactMap { pipeline in
            guard !others.contains(pipeline.name), let counts = passages[pipeline.name],
                let last = counts.lastIndex(where: { $0 > 0 })
            else { return nil }
            let step = pipeline.placedSteps[last]
            // A value before the events is of no use to the other steps that take those of a node.
            let needed = ["withLatestFrom", "skipUntil"].contains(step.name) ? step.kind.nodes.map(\.text) : []
            return (
                pipeline.name,
                .withheld(
                    step: step.name, at: "\(step.locationCell.location)", count: counts[last],
                    without: needed.filter { !emitters.contains($0) })
            )
        }
    }

    /// The pipelines that emit nothing until each of several nodes has emitted an event, some of which have not.
    private func uncombined(
        _ emitters: Set<String>, in trialPlan: Plan, exceptFor others: Set<String>
    ) -> [(node: String, kind: Entry.Kind)] {
        trialPlan.pipelines.compactMap { pipeline in
            guard let combination = pipeline.inputs.combination, [.combineLatest, .zip].contains(combination) else {
                return nil
            }
            let names = pipeline.inputs.members.map(\.node.text).withoutRepetitions(by: \.self)
            let silent = names.filter { !emitters.contains($0) }
            guard !others.contains(pipeline.name), !silent.isEmpty, silent.count < names.count else { return nil }
            return (pipeline.name, .uncombined(combination.rawValue, without: silent))
        }
    }
}

extension Plan {
    /// The part of this plan that the inputs of a trial reach, which logs what happens and does nothing.
    fileprivate func under(
        _ inputs: [TrialInput], _ isRecording: Bool, _ passages: Locked<[String: [Int]]>,
        _ emitters: Locked<Set<String>>, _ log: @escaping @Sendable (String, Trial.Entry.Kind) -> Void
    ) -> Plan {
        let given = Dictionary(grouping: inputs, by: \.node)
        let initial = Set(inputs.filter(\.isInitial).map(\.node))
        let reached = nodes(reachedFrom: Set(given.keys).subtracting(initial), including: true).subtracting(initial)
        let logEmission: @Sendable (String, JSON) -> Void = { name, value in
            emitters.withLock { _ = $0.insert(name) }
            log(name, .emitted(value))
        }
        func makeSource(_ name: String) -> TrialSource {
            // The first events come after those of the other nodes.
            TrialSource(inputs: given[name] ?? [], isDelayed: !initial.isEmpty && !initial.contains(name)) {
                logEmission(name, $0)
            }
        }
        let needed = nodes(neededBy: reached)
        let running = runningPipelines
        var plan = Plan()
        plan.secrets = secrets
        for source in sources where needed.contains(source.name) {
            plan.sources.append(
                Source(
                    name: source.name, kindName: source.kindName, kind: makeSource(source.name), content: source.content
                ))
        }
        for var pipeline in pipelines where needed.contains(pipeline.name) {
            let name = pipeline.name
            if reached.contains(name), !running.contains(name) {
                log(name, .idle(Self.idleReason))
            }
            if isRecording && given[name] != nil || initial.contains(name) {
                plan.sources.append(Source(name: name, kindName: "replay", kind: makeSource(name), content: ""))
                continue
            }
            if let inputs = given[name] {
                // In place of what it takes events from. No name in a configuration contains a '/'.
                let source = "\(name)/input"
                let kind = TrialSource(inputs: inputs, isDelayed: !initial.isEmpty) { _ in }
                plan.sources.append(Source(name: source, kindName: "try", kind: kind, content: ""))
                pipeline = pipeline.taking(from: source)
            }
            if reached.contains(name) {
                pipeline.placedSteps = pipeline.placedSteps.countingPassages(of: name, in: passages)
                pipeline.placedSteps.append(.observing(name) { if let value = $1 { logEmission($0, value) } })
                pipeline.sinks = pipeline.sinks.map { sink in
                    PlannedSink(
                        name: sink.name, kind: TrialSink(kind: sink.kind, log: log), content: sink.content,
                        locationCells: sink.locationCells)
                }
            } else {
                pipeline.placedSteps.append(
                    .observing(name) { name, value in
                        if value != nil { emitters.withLock { _ = $0.insert(name) } }
                    })
                pipeline.sinks = []
            }
            plan.pipelines.append(pipeline)
        }
        return plan
    }

    /// The other nodes from which the pipelines take events that get those of a node.
    func inputs(besides node: String) -> [String] {
        let reached = nodes(reachedFrom: [node], including: true)
        // A pipeline gets events in place of those that it takes from nodes, but not of those that its steps take.
        let needed = pipelines.filter { reached.contains($0.name) }.flatMap { pipeline in
            pipeline.name == node ? pipeline.steps.flatMap(\.nodes).map(\.text) : pipeline.dependencies
        }
        return needed.filter { $0 != node }.withoutRepetitions(by: \.self).sorted()
    }

    /// The pipelines that get events or failures from these nodes; with `including`, also the nodes themselves.
    fileprivate func nodes(reachedFrom given: Set<String>, including: Bool) -> Set<String> {
        var reached: Set<String> = []
        var count = -1
        while count != reached.count {
            count = reached.count
            let all = given.union(reached)
            for pipeline in pipelines {
                if !all.isDisjoint(with: pipeline.dependencies) { reached.insert(pipeline.name) }
                if all.contains(pipeline.name) { reached.formUnion(pipeline.failuresTo) }
            }
        }
        return including ? reached.union(given) : reached
    }
}

extension [PlacedStep] {
    /// The steps, each with one before it that counts the events that it gets.
    fileprivate func countingPassages(of pipeline: String, in passages: Locked<[String: [Int]]>) -> [PlacedStep] {
        passages.withLock { $0[pipeline] = [Int](repeating: 0, count: count) }
        return enumerated().flatMap { index, step in
            let counter = PlacedStep.observing(pipeline) { name, value in
                if value != nil { passages.withLock { $0[name]?[index] += 1 } }
            }
            return [counter, step]
        }
    }
}

extension Trial.Entry {
    /// The node, if it has emitted or failed.
    fileprivate var outcomeNode: String? {
        switch kind {
        case .emitted, .failed: node
        default: nil
        }
    }
}

extension Plan.Pipeline {
    /// This pipeline with another node in place of those that it takes events from.
    fileprivate func taking(from node: String) -> Plan.Pipeline {
        let inputs = InputNodes(LocatedText(node, at: SourceLocation(file: "", line: 1, column: 1)))
        let stepNodes = dependencies.filter { !self.inputs.members.map(\.node.text).contains($0) }
        return Plan.Pipeline(
            name: name, inputs: inputs, dependencies: [node] + stepNodes, placedSteps: placedSteps, replay: replay,
            scope: scope, isVolatile: true, onError: onError, failuresTo: failuresTo, takesFailures: takesFailures,
            sinks: sinks, content: content, locationCells: locationCells)
    }
}

/// A source that emits the inputs of a trial.
private struct TrialSource: SourceKind {
    let inputs: [TrialInput]
    /// Whether the first event comes after all that is scheduled at its time.
    var isDelayed = false
    let log: @Sendable (JSON) -> Void

    var summary: String { "as given" }

    func events(in context: SourceContext) -> Observable<JSON> {
        let scheduler = context.scheduler
        let inputs = inputs.sorted { $0.time < $1.time }
        return .create { [log, isDelayed] observer in
            let timer = SerialDisposable()
            // One after the other: a timer for each would make the queue long.
            @Sendable func scheduleNext(_ index: Int) {
                guard index < inputs.count else { return }
                let wait = max(.zero, inputs[index].time - scheduler.elapsed)
                timer.hold {
                    scheduler.scheduleRelative((), dueTime: wait.interval) {
                        // Initial values are emitted together, before the first one of another node.
                        let end = inputs[index].isInitial ? inputs.count : index + 1
                        for input in inputs[index..<end] {
                            log(input.value)
                            observer.onNext(input.value)
                        }
                        scheduleNext(end)
                        return Disposables.create()
                    }
                }
            }
            if isDelayed {
                timer.hold {
                    scheduler.scheduleRelative((), dueTime: Duration.zero.interval) {
                        scheduleNext(0)
                        return Disposables.create()
                    }
                }
            } else {
                scheduleNext(0)
            }
            return timer
        }
    }
}

/// A sink that says what another would do.
private struct TrialSink: SinkKind {
    let kind: any SinkKind
    let log: @Sendable (String, Trial.Entry.Kind) -> Void

    var settings: SinkSettings { kind.settings }

    func action(for event: PipelineEvent, in context: SinkContext) throws -> SinkAction {
        try kind.action(for: event, in: context)
    }

    func open(in context: SinkContext) -> any OpenSink { OpenTrialSink(kind: self, context: context) }

    /// Finishes each event when its action is logged.
    private final class OpenTrialSink: OpenSink {
        private let kind: TrialSink
        private let context: SinkContext

        init(kind: TrialSink, context: SinkContext) {
            (self.kind, self.context) = (kind, context)
        }

        func receive(_ event: PipelineEvent) throws -> Bool {
            let node = "\(context.pipeline)/\(context.sink)"
            do {
                kind.log(node, .action(try kind.action(for: event, in: context)))
            } catch {
                // The event may go to a pipeline for failures, too.
                kind.log(node, .failed("\(error.withoutCheckpoints)"))
                throw error
            }
            return true
        }
    }
}
