import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON

/// A kind of step, as one entry under a pipeline's `steps:` configures it.
package protocol StepKind: Sendable {
    /// What becomes of `events`. Errors are thrown as ``StepError``.
    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent>

    /// The nodes that it takes events from besides those it is given.
    var nodes: [LocatedText] { get }

    /// Whether it emits at the pace at which events arrive.
    var keepsPace: Bool { get }

    /// The number of events that it holds before it emits.
    var holds: Int { get }

    /// Whether it handles failures of the steps before it.
    var handlesFailures: Bool { get }

    /// Whether it starts the steps before it afresh when they fail.
    var startsStepsAfresh: Bool { get }

    /// The name that it adds to failures of the steps before it.
    var checkpoint: String? { get }

    /// Whether a run of it never has more subscriptions than at first.
    var isSteady: Bool { get }

    /// Why it makes no sense where an event comes every `period`; `nil` where it does. Unless it `isExact`, events may
    /// come sooner, too.
    func complaint(afterEvery period: Duration, isExact: Bool) -> String?
}

extension StepKind {
    package var nodes: [LocatedText] { [] }
    package var keepsPace: Bool { false }
    package var holds: Int { 0 }
    package var handlesFailures: Bool { false }
    package var startsStepsAfresh: Bool { false }
    package var checkpoint: String? { nil }
    package var isSteady: Bool { true }
    package func complaint(afterEvery period: Duration, isExact: Bool) -> String? { nil }
}

extension [any StepKind] {
    /// What the steps, one after the other, make of `events`.
    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent> {
        var steps = self[...]
        var result = events
        // The last step that starts others afresh has the outermost input.
        var inputs = indices.filter { self[$0].startsStepsAfresh }.reversed().map { index in
            let names = (0..<index).compactMap { context.inside("\($0)").step }
            // They process the event as if it had not come before.
            let steps = RestartInput { event in
                event.changeResults { $0.forget(names) }
                return event
            }
            let source = result
            result = steps.events
            return (source: source, steps: steps)
        }
        while let step = steps.popFirst() {
            var context = context.inside("\(count - steps.count - 1)")
            context.retryInput = step.startsStepsAfresh ? inputs.popLast() : nil
            if steps.contains(where: \.handlesFailures) { context.drop = nil }
            if let drop = context.drop {
                let names = steps.compactMap(\.checkpoint)
                context.drop = { error, event in drop(names.reduce(error) { $0.passing($1) }, event) }
            }
            result = step.apply(to: result, in: context)
        }
        return result
    }
}

/// What a step finds around it.
package struct StepContext: Sendable {
    /// The pipeline that the step belongs to.
    package let pipeline: String
    /// The scheduler that the pipeline runs on.
    package let scheduler: any SchedulerType
    /// Owns the values that expressions make.
    package let arena: JQArena
    /// What the pipeline's live objects are charged to.
    package let account: Resources.Account
    package let host: Host
    /// Where its records go.
    package let records: any RecordWriter
    /// The config generation that is running.
    package let generation: @Sendable () -> Int
    /// The credentials in the config, which no event shows.
    package let secrets: Secrets
    /// Counts the sources that events have made, while they run.
    let innerSources: RunningCount
    /// The events of a node by its name: one of those that the step says it takes from.
    package let node: @Sendable (String) -> Observable<PipelineEvent>
    /// What the steps of the pipeline remember; `nil` if that is not saved.
    var memory: NodeMemory?
    /// Identifies the step among those of its pipeline.
    var path = ""
    /// Identifies the step for ``StepResults``; `nil` if nothing is saved.
    var step: String?
    /// Drops an event that a step failed on; `nil` where the failure goes to a later step or ends the pipeline.
    var drop: (@Sendable (any Error, PipelineEvent) -> Void)?
    /// The input of the steps that the step starts afresh, and where it comes from.
    var retryInput: (source: Observable<PipelineEvent>, steps: RestartInput)?
    /// Records a failure after which the steps restart.
    let restarting: @Sendable (any Error) -> Void
    /// The id of this run of the pipeline as a source, of the events that its steps emit by themselves.
    let run: String
    /// Numbers those events.
    let sequencer = Sequencer()
}

extension StepContext {
    /// Runs `body` for an event; drops the event and returns `nil` if it throws and the pipeline goes on.
    func attempt<Value>(_ event: PipelineEvent, _ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch {
            guard let drop else { throw error }
            drop(error, event)
            return nil
        }
    }
}

extension StepContext {
    /// ``attempt(_:_:)`` of ``once(_:_:)``.
    func attemptOnce(_ event: PipelineEvent, _ body: () throws -> PipelineEvent?) throws -> PipelineEvent? {
        try attempt(event) { try once(event, body) } ?? nil
    }

    /// An event that no source emitted: the pipeline itself is its source.
    func event(_ value: JSON) -> PipelineEvent {
        let time = scheduler.now.timeIntervalSince1970
        return PipelineEvent(value, SourceEvent(pipeline, run: run, sequence: sequencer.next(), time: time))
    }

    /// The values of several events as that of the last of them; of none, as that of an event of the pipeline's own.
    func list(_ events: [PipelineEvent]) -> PipelineEvent {
        guard let last = events.last else { return event(.array([])) }
        return last.with(JQValue(events.map(\.content))).made(of: events.dropLast())
    }
}

extension Observable where Element == PipelineEvent {
    /// These events; what the operator of the step called `step` itself fails with is said in `message`. Whatever else
    /// failed before it stays what it is.
    func failing(as step: String, at place: SourceLocationCell, _ message: String) -> Observable<PipelineEvent> {
        lift { FailingSink(to: $0, step, place, message) }
    }
}

/// Passes the error on before anything before it is released: what is in flight there is not lost.
private final class FailingSink: OperatorSink<PipelineEvent, PipelineEvent> {
    private let step: String
    private let place: SourceLocationCell
    private let message: String

    init(to downstream: Sink<PipelineEvent>, _ step: String, _ place: SourceLocationCell, _ message: String) {
        self.step = step
        self.place = place
        self.message = message
        super.init(to: downstream)
    }

    override func next(_ event: PipelineEvent) { downstream.next(event) }

    override func error(_ error: any Error) {
        downstream.error(
            error is RxError ? StepError(step: step, location: place.location, event: nil, message: message) : error)
    }
}

/// A step that failed on an event.
package struct StepError: Error, CustomStringConvertible {
    /// The operator's name in the config.
    package let step: String
    /// Where the step stands in the config.
    package let location: SourceLocation
    /// The event it failed on, where it was one.
    package let event: PipelineEvent?
    package let message: String

    /// What led to that event.
    package var cause: String? { event?.cause }

    package var description: String {
        "\(location): \(step) failed\(cause.map { " on \($0)" } ?? ""): \(message)"
    }
}
