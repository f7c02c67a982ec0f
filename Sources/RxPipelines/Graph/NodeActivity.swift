import FoundationEssentials
import RxEngine
import RxJSON
import Synchronization

/// What a node has done so far: the events that it has emitted, and its last failures.
package final class NodeActivity: Sendable {
    /// Whether a node emits events.
    package enum Phase: String, Sendable {
        /// Nothing subscribes to the node.
        case idle
        case running
        /// The node has completed: it will not emit any more, until a reload changes it.
        case completed
    }

    /// A failure of a node or of one of its sinks.
    package struct Failure: Sendable {
        /// When the failure happened.
        package let time: RxTime
        package fileprivate(set) var message: String
        /// The name of the sink; `nil` if the node itself has failed.
        package let sink: String?
        /// The source event of the event that the sink or a step failed on, or that says that a poll has failed.
        ///
        /// It is `nil` if the failure concerns no single event.
        package let event: SourceEvent?
        /// The number of failures of this node or sink so far.
        package fileprivate(set) var count = 1
        /// Whether the sink tries again.
        package var isRetried = false
        /// When the sink tries again.
        package fileprivate(set) var next: RxTime?
        /// When the node or the sink has worked again since; `nil` if it has not. A pipeline works again when it emits.
        package fileprivate(set) var recovered: RxTime?

        /// Whether the node or the sink has not worked since.
        package var isOpen: Bool { recovered == nil }
    }

    /// The state of a node at one moment.
    package struct Summary: Sendable {
        package var phase = Phase.idle
        /// The number of events since the node began.
        package var count = 0
        /// The source event of the last event, and when the node emitted it.
        package var last: (event: SourceEvent, time: RxTime)?
        /// The number of events in the last minute, interpolated between two full minutes.
        package var perMinute = 0.0
        /// The last failure of the node and of each of its sinks, the latest last.
        package var failures: [Failure] = []
        /// When the source emits or polls next.
        package var next: RxTime?

        package init() {}
    }

    /// The numbers of events in this minute and in the one before.
    private struct Minutes {
        private var minute = 0
        private var count = 0
        private var before = 0

        mutating func add(_ time: RxTime) {
            advance(to: time)
            count += 1
        }

        private mutating func advance(to time: RxTime) {
            let now = Int((time.timeIntervalSince1970 / 60).rounded(.down))
            guard now != minute else { return }
            (before, count) = (now == minute + 1 ? count : 0, 0)
            minute = now
        }

        /// The rate per minute, as if the events of the minute before had come evenly.
        mutating func rate(at time: RxTime) -> Double {
            advance(to: time)
            let passed = time.timeIntervalSince1970 / 60 - Double(minute)
            return Double(before) * (1 - passed) + Double(count)
        }
    }

    private let state = Locked((summary: Summary(), minutes: Minutes()))
    private let lastValueNow = Locked<@Sendable () -> JSON?>({ nil })
    /// Whether a failure has not recovered, so that a success need not take the lock otherwise. Written under the lock.
    private let failureFlag = Atomic(false)
    /// Whether the last poll has failed. A failure of the source itself, which replaces that of the poll in the summary,
    /// does not change this. Only written for events, of which a source emits one at a time.
    private let pollsFail = Atomic(false)
    private let scheduler: any SchedulerType
    private let name: String
    private let taps: TapRegistry
    private let failureOfSource: (@Sendable (JSON) -> String?)?
    private let onPollChange: @Sendable (PipelineEvent, _ failure: String?) -> Void

    /// - Parameters:
    ///   - name: the name of the node.
    ///   - taps: the observers of what it does.
    ///   - failureOfSource: why the poll of a source has failed, if the value that it emits says so; `nil` for a pipeline.
    ///   - onPollChange: called with the event of the first poll that fails after a success, and why, and with that of
    ///     the first poll that succeeds after a failure.
    init(
        _ name: String = "", on scheduler: any SchedulerType, _ taps: TapRegistry = TapRegistry(),
        failureOfSource: (@Sendable (JSON) -> String?)? = nil,
        onPollChange: @escaping @Sendable (PipelineEvent, _ failure: String?) -> Void = { _, _ in }
    ) {
        (self.scheduler, self.name, self.taps) = (scheduler, name, taps)
        self.failureOfSource = failureOfSource
        self.onPollChange = onPollChange
    }

    /// The state of the node now.
    package var summary: Summary {
        let now = scheduler.now
        return state.withLock { state in
            var summary = state.summary
            summary.perMinute = state.minutes.rate(at: now)
            return summary
        }
    }

    /// Whether the node or one of its sinks has failed, and has not worked since.
    var isFailing: Bool { failureFlag.load(ordering: .relaxed) }

    /// The value of the last event, if the node keeps it to replay it.
    package var lastValue: JSON? { lastValueNow.withLock(\.self)() }

    /// Sets what returns the value of the last event.
    func canShow(_ lastValue: @escaping @Sendable () -> JSON?) {
        lastValueNow.withLock { $0 = lastValue }
    }

    /// Counts an event that the node emits.
    func emitted(_ event: PipelineEvent) {
        let (origin, now) = (event.origin, scheduler.now)
        let previous = state.withLock { state in
            defer { state.summary.last = (origin, now) }
            state.summary.count += 1
            state.minutes.add(now)
            return state.summary.last
        }
        withExtendedLifetime(previous) {}
        taps.observe(name, .emitted(event))
        guard let failureOfSource else {
            succeeded()
            return
        }
        // A redelivered event does not show the current state of the source.
        guard !origin.isRedelivered else { return }
        if let message = failureOfSource(event.value) {
            // Taps are not notified: they have received the event.
            add(Failure(time: now, message: message, sink: nil, event: origin))
            if !pollsFail.exchange(true, ordering: .relaxed) { onPollChange(event, message) }
        } else {
            succeeded()
            if pollsFail.load(ordering: .relaxed) {
                pollsFail.store(false, ordering: .relaxed)
                onPollChange(event, nil)
            }
        }
    }

    /// Notes a failure of the node or of one of its sinks.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - sink: the name of the sink; `nil` if the node itself has failed.
    ///   - event: the source event of the event that the sink or a step failed on.
    ///   - isRetried: whether the sink tries again.
    /// - Returns: whether the last failure there was before the last success, or there was none.
    @discardableResult
    func failed(
        _ message: String, at sink: String? = nil, on event: SourceEvent? = nil, isRetried: Bool = false
    ) -> Bool {
        let (failure, previous) = add(
            Failure(time: scheduler.now, message: message, sink: sink, event: event, isRetried: isRetried))
        taps.observe(name, .failed(failure))
        return previous.map { $0.recovered != nil } ?? true
    }

    /// Notes a failure.
    ///
    /// - Returns: the failure with its number, and the one before it.
    @discardableResult
    private func add(_ failure: Failure) -> (Failure, Failure?) {
        var failure = failure
        let previous = state.withLock { state in
            let index = state.summary.failures.firstIndex { $0.sink == failure.sink }
            let previous = index.map { state.summary.failures.remove(at: $0) }
            failure.count = (previous?.count ?? 0) + 1
            state.summary.failures.append(failure)
            failureFlag.store(true, ordering: .relaxed)
            return previous
        }
        return (failure, previous)
    }

    /// Notes that a sink has done its work for an event, or that the node works if `sink` is `nil`.
    func succeeded(at sink: String? = nil) {
        guard isFailing else { return }
        let now = scheduler.now
        state.withLock { state in
            guard let index = state.summary.failures.firstIndex(where: { $0.sink == sink }),
                state.summary.failures[index].isOpen
            else { return }
            state.summary.failures[index].recovered = now
            state.summary.failures[index].next = nil
            failureFlag.store(state.summary.failures.contains(where: \.isOpen), ordering: .relaxed)
        }
    }

    /// Notes that a sink will not try these events again.
    ///
    /// - Parameters:
    ///   - sink: the name of the sink.
    ///   - ids: the ids of the source events.
    ///   - reason: why, for the message.
    func gaveUp(at sink: String, on ids: Set<String>, because reason: String) {
        // Whatever `isFailing` is: the sink may have worked for another event meanwhile.
        state.withLock { state in
            let index = state.summary.failures.firstIndex { failure in
                failure.sink == sink && failure.isRetried && failure.event.map { ids.contains($0.id) } == true
            }
            guard let index else { return }
            state.summary.failures[index].isRetried = false
            state.summary.failures[index].next = nil
            state.summary.failures[index].message += "; \(reason)"
        }
    }

    /// Notifies observers that a sink drops an event.
    func dropped(_ event: SourceEvent, id: String, at sink: String, because reason: String) {
        taps.observe(name, .dropped(event, id: id, at: sink, because: reason))
    }

    /// Notes when the source emits or polls next.
    func waits(_ wait: Duration) {
        let next = scheduler.now.addingTimeInterval(wait / .seconds(1))
        state.withLock { $0.summary.next = next }
    }

    /// Notes when a sink that has failed tries again; zero means that it does so now.
    func waits(seconds: TimeInterval, at sink: String) {
        guard isFailing else { return }
        let next = scheduler.now.addingTimeInterval(seconds)
        state.withLock { state in
            let index = state.summary.failures.firstIndex { failure in
                failure.sink == sink && failure.isRetried && failure.isOpen
            }
            if let index { state.summary.failures[index].next = next }
        }
    }

    func enter(_ phase: Phase) {
        let old = state.withLock { state in
            defer { state.summary.phase = phase }
            return state.summary.phase
        }
        if old != phase { taps.observe(name, from: old, to: phase) }
    }

    /// Notes that nothing subscribes to the node any more. A completed node stays completed.
    func unsubscribed() {
        let wasRunning = state.withLock { state in
            guard state.summary.phase == .running else { return false }
            state.summary.phase = .idle
            return true
        }
        if wasRunning { taps.observe(name, from: .running, to: .idle) }
    }
}

extension Observable where Element == PipelineEvent {
    /// The events, counted in the activity of their node.
    func counted(in activity: NodeActivity) -> Observable {
        self.do(
            onNext: { activity.emitted($0) }, onCompleted: { activity.enter(.completed) },
            onSubscribe: { activity.enter(.running) }, onDispose: { activity.unsubscribed() })
    }
}
