import FoundationEssentials
import RxEngine

// Unchecked: all of it happens on one serial scheduler, but for ``unsettled``, which has a lock.
/// Where a source's values become events: numbered, accounted for, and held back until all who are to hear of them listen.
final class Intake: @unchecked Sendable {
    let unsettled: Unsettled
    private let source: String
    private let scheduler: any SchedulerType
    /// What this run of the source is called.
    private let run: String
    private let sequence = Sequencer()
    private var isOpen = false
    /// What has come too early, and what was told before and is to be told again.
    private var waiting: [Told]
    private var sink: Sink<PipelineEvent>?

    private enum Told {
        case event(PipelineEvent)
        case completed
    }

    init(
        _ source: String, on scheduler: any SchedulerType, redelivering events: [UnsettledEvent],
        onSettled: @escaping @Sendable (SourceEvent) -> Void
    ) {
        self.source = source
        self.scheduler = scheduler
        run = String(UInt64(max(0, scheduler.now.timeIntervalSince1970 * 1_000_000)), radix: 36)
        unsettled = Unsettled(onSettled: onSettled)
        waiting = events.compactMap(unsettled.accept).map { .event($0) }
    }

    /// Runs the source: what it tells goes to `sink` as events.
    func run(_ values: Observable<JSON>, into sink: Sink<PipelineEvent>) -> any Disposable {
        self.sink = sink
        let running = values.subscribe(
            onNext: { self.accept($0) }, onError: { self.fail($0) }, onCompleted: { self.tell(.completed) })
        // Behind whoever else subscribes in this turn.
        if isOpen { scheduler.perform { self.tellWaiting() } }
        let place = ObjectIdentifier(sink)
        return Disposables.create(running, Disposables.create { self.leave(place) })
    }

    private func leave(_ place: ObjectIdentifier) {
        if sink.map({ ObjectIdentifier($0) }) == place { sink = nil }
    }

    /// All who are to hear of the first events listen.
    func open() {
        isOpen = true
        tellWaiting()
    }

    private func accept(_ value: JSON) {
        let event = SourceEvent(source, run: run, sequence: sequence.next(), time: scheduler.now.timeIntervalSince1970)
        guard let event = unsettled.accept(UnsettledEvent(event, value)) else { return }
        if isOpen, waiting.isEmpty, let sink { sink.next(event) } else { tell(.event(event)) }
    }

    /// That the source has failed is told at once: it starts again, and what waits goes on waiting.
    private func fail(_ error: any Error) {
        let sink = sink.take()
        sink?.error(error)
    }

    private func tell(_ told: Told) {
        waiting.append(told)
        tellWaiting()
    }

    private func tellWaiting() {
        while isOpen, let sink, sink.live.isActive, !waiting.isEmpty {
            switch waiting.removeFirst() {
            case .event(let event): sink.next(event)
            case .completed: sink.completed()
            }
        }
    }
}
