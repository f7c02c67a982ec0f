import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON
import RxLinux

/// A kind of step, as one entry under a pipeline's `steps:` configures it.
package protocol StepKind: Sendable {
    /// Applies the step to `events`. Its errors are ``StepError``s.
    func apply(to events: Observable<PipelineEvent>, in context: StepContext) -> Observable<PipelineEvent>

    /// The nodes that the step takes events from besides its input.
    var nodes: [LocatedText] { get }

    /// Whether the step starts sources for events.
    var startsSources: Bool { get }

    /// The expression that the step evaluates for each event, on the value of the event.
    var valueExpression: Expression? { get }

    /// Whether the step emits no other values than those that arrive.
    var keepsValues: Bool { get }

    /// Whether the step emits at the pace at which events arrive.
    var keepsPace: Bool { get }

    /// The number of events that the step holds before it emits; the largest number if that is all of them.
    var holds: Int { get }

    /// Whether each event that the step emits is a list of those that it held.
    var makesLists: Bool { get }

    /// The number of events after which the step completes.
    var passes: Int { get }

    /// Whether the step may complete before its input does.
    var completesEarly: Bool { get }

    /// Whether the step handles failures of the steps before it.
    var handlesFailures: Bool { get }

    /// Whether the step restarts the steps before it without their state when they fail.
    var restartsEarlierSteps: Bool { get }

    /// The name that the step adds to failures of the steps before it.
    var checkpoint: String? { get }

    /// Whether a run of the step never has more subscriptions than at its start.
    var isSteady: Bool { get }

    /// The number of subscriptions that a run of the step has at its start, besides the one to its input.
    ///
    /// Most steps have none: they only add a link to that one.
    var subscriptions: Int { get }

    /// The reason why the step makes no sense if an event arrives every `period`; `nil` if it does make sense.
    ///
    /// - Parameters:
    ///   - period: the time between two events.
    ///   - isExact: whether that time is always the same; otherwise events may arrive sooner.
    func complaint(afterEvery period: Duration, isExact: Bool) -> String?
}

extension StepKind {
    package var nodes: [LocatedText] { [] }
    package var startsSources: Bool { false }
    package var valueExpression: Expression? { nil }
    package var keepsValues: Bool { false }
    package var keepsPace: Bool { false }
    package var holds: Int { 0 }
    package var makesLists: Bool { false }
    package var passes: Int { .max }
    package var completesEarly: Bool { false }
    package var handlesFailures: Bool { false }
    package var restartsEarlierSteps: Bool { false }
    package var checkpoint: String? { nil }
    package var isSteady: Bool { true }
    package var subscriptions: Int { 0 }
    package func complaint(afterEvery period: Duration, isExact: Bool) -> String? { nil }
}

/// A step of a pipeline with its name and its location in the configuration.
struct PlacedStep: Sendable {
    let name: String
    let kind: any StepKind
    let locationCell: SourceLocationCell
}

extension [any StepKind] {
    /// The most events that one of the steps holds; the largest number if that is all of them.
    var holds: Int {
        var (holds, passes) = (0, Int.max)
        for step in self {
            holds = Swift.max(holds, Swift.min(step.holds, passes))
            passes = Swift.min(passes, step.passes)
        }
        return holds
    }

    /// Applies the steps to `events`, one after the other.
    ///
    /// - Parameters:
    ///   - events: the events.
    ///   - context: the context of the steps.
    ///   - noting: returns the output of the step with an index that may complete before its input does.
    func apply(
        to events: Observable<PipelineEvent>, in context: StepContext,
        trackingEnd: (Observable<PipelineEvent>, Int) -> Observable<PipelineEvent> = { output, _ in output }
    ) -> Observable<PipelineEvent> {
        var steps = self[...]
        var result = events
        // The last `retry` has the outermost input.
        var inputs = indices.filter { self[$0].restartsEarlierSteps }.reversed().map { index in
            let names = (0..<index).compactMap { context.inside("\($0)").step }
            // These steps restart without their state, so they process the event as a new one.
            let steps = RestartInput { event in
                event.changeResults { $0.forget(names) }
                return event
            }
            let source = result
            result = steps.events
            return (source: source, steps: steps)
        }
        while let step = steps.popFirst() {
            let index = count - steps.count - 1
            var context = context.inside("\(index)")
            context.retryInput = step.restartsEarlierSteps ? inputs.popLast() : nil
            if steps.contains(where: \.handlesFailures) { context.drop = nil }
            if let drop = context.drop {
                let names = steps.compactMap(\.checkpoint)
                context.drop = { error, event in drop(names.reduce(error) { $0.passing($1) }, event) }
            }
            result = step.apply(to: result, in: context)
            if step.completesEarly { result = trackingEnd(result, index) }
        }
        return result
    }
}

/// The context that a step runs in.
package struct StepContext: Sendable {
    /// The pipeline that the step belongs to.
    package let pipeline: String
    /// The scheduler that the pipeline runs on.
    package let scheduler: any SchedulerType
    /// The owner of the values that expressions make.
    package let arena: JQArena
    /// The account that the pipeline's live objects are charged to.
    package let account: Resources.Account
    package let host: Host
    /// The writer of the step's records.
    package let records: any RecordWriter
    /// Returns the number of the configuration generation that is running.
    package let generation: @Sendable () -> Int
    /// The credentials in the configuration, which events must not contain.
    package let secrets: Secrets
    /// The number of running inner sources.
    let innerSources: RunningCount
    /// Returns the events of a node in ``StepKind/nodes``, by its name.
    package let node: @Sendable (String) -> Observable<PipelineEvent>
    /// The state of the pipeline's steps; `nil` if it is not saved.
    var memory: NodeMemory?
    /// The memory limit for the state of the pipeline's steps.
    var quota = MemoryQuota()
    /// Identifies the step among those of its pipeline.
    var path = ""
    /// Identifies the step for ``StepResults``; `nil` if nothing is saved.
    var step: String?
    /// Drops an event that a step failed on; `nil` if the failure goes to a later step or ends the pipeline.
    var drop: (@Sendable (any Error, PipelineEvent) -> Void)?
    /// The input of the steps that this `retry` restarts, and its source.
    var retryInput: (source: Observable<PipelineEvent>, steps: RestartInput)?
    /// Records a failure after which the steps restart.
    let restarting: @Sendable (any Error) -> Void
    /// The run id of the events that the pipeline's steps emit by themselves: the pipeline is their source.
    let run: String
    /// Numbers the events that the pipeline's steps emit by themselves.
    let sequencer = SequenceCounter()
}

extension StepContext {
    /// Runs `body` for an event. If it throws and the pipeline continues after failures, drops the event and returns
    /// `nil`.
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
    /// Combines ``attempt(_:_:)`` and ``once(_:_:)``.
    func attemptOnce(_ event: PipelineEvent, _ body: () throws -> PipelineEvent?) throws -> PipelineEvent? {
        try attempt(event) { try once(event, body) } ?? nil
    }

    /// Makes an event that no source emitted: the pipeline itself is its source.
    func event(_ value: JSON) -> PipelineEvent {
        let time = scheduler.now.timeIntervalSince1970
        return PipelineEvent(value, SourceEvent(pipeline, run: run, sequence: sequencer.next(), time: time))
    }

    /// Makes an event with a list of the values of several events. It is made of these events; an empty list is an
    /// event of the pipeline itself.
    func list(_ events: [PipelineEvent]) -> PipelineEvent {
        guard let last = events.last else { return event(.array([])) }
        return last.with(JQValue(events.map(\.content))).made(of: events.dropLast())
    }
}

extension Observable where Element == PipelineEvent {
    /// Replaces an error of the step's own operator, an ``RxError``, by a ``StepError`` with this message. Errors of
    /// earlier steps pass unchanged.
    func failing(as step: String, at locationCell: SourceLocationCell, _ message: String) -> Observable<PipelineEvent> {
        lift { FailingSink(to: $0, step, locationCell, message) }
    }
}

/// Passes the error on before it releases anything upstream, so that the events in flight there are not lost.
private final class FailingSink: OperatorSink<PipelineEvent, PipelineEvent> {
    private let step: String
    private let locationCell: SourceLocationCell
    private let message: String

    init(to downstream: Sink<PipelineEvent>, _ step: String, _ locationCell: SourceLocationCell, _ message: String) {
        self.step = step
        self.locationCell = locationCell
        self.message = message
        super.init(to: downstream)
    }

    override func next(_ event: PipelineEvent) { downstream.next(event) }

    override func error(_ error: any Error) {
        downstream.error(
            error is RxError
                ? StepError(step: step, location: locationCell.location, event: nil, message: message) : error)
    }
}

/// A step that failed on an event.
package struct StepError: Error, CustomStringConvertible {
    /// The operator's name in the configuration.
    package let step: String
    /// The location of the step in the configuration.
    package let location: SourceLocation
    /// The event that the step failed on; `nil` if it was no single event.
    package let event: PipelineEvent?
    package let message: String

    /// The cause of the event that the step failed on.
    package var cause: String? { event?.cause }

    package var description: String {
        "\(location): \(step) failed\(cause.map { " on \($0)" } ?? ""): \(message)"
    }
}
