import RxDiagnostics
import RxEngine
import RxLinux

/// Counts the memory of an event as collected by a step until this object is released.
private final class CollectedEvent: Sendable {
    private let delivery: (any Delivery)?
    private let derived: DerivedMemory?

    init(_ event: PipelineEvent) {
        (delivery, derived) = (event.delivery, event.derivedMemory)
        delivery?.addCollectors(1)
        derived?.addCollectors(1)
    }

    deinit {
        delivery?.addCollectors(-1)
        derived?.addCollectors(-1)
    }

    /// The memory that no other step collects, in bytes.
    var ownMemory: Int { (delivery?.memoryOfSoleCollector ?? 0) + (derived?.memoryOfSoleCollector ?? 0) }
}

/// The events that a step collects.
private struct CollectedEventQueue {
    let maximum: Int
    private var events = Queue<CollectedEvent>([])

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// Adds an event in place of the oldest one, if there are as many as there may be.
    ///
    /// - Returns: whether it was added. It is not if the steps that collect events would hold back its source.
    mutating func add(_ event: PipelineEvent) -> Bool {
        if maximum == 0 { return true }
        let added = CollectedEvent(event)
        let released = events.count == maximum ? events.first?.ownMemory ?? 0 : 0
        if event.delivery?.hasSource(where: { $0.isHeldBackByCollectors(releasing: released) }) == true { return false }
        if events.count == maximum { _ = events.popFirst() }
        events.append(added)
        return true
    }
}

extension StepContext {
    /// Events for a step that holds the last `count` of them until its source completes. An event fails if all such
    /// steps together would keep its source waiting.
    func collecting(
        _ events: Observable<PipelineEvent>, last count: Int = .max, of step: String,
        at locationCell: SourceLocationCell
    ) -> Observable<PipelineEvent> {
        .deferred {
            let collected = Locked(CollectedEventQueue(maximum: count))
            let end: @Sendable () -> Void = {
                // Released outside the lock, since this may settle events.
                let rest = collected.withLock { events in
                    defer { events = CollectedEventQueue(maximum: count) }
                    return events
                }
                withExtendedLifetime(rest) {}
            }
            return events.compactMap { event in
                try attempt(event) {
                    if collected.withLock({ $0.add(event) }) { return event }
                    throw StepError(
                        step: step, location: locationCell.location, event: event,
                        message: "there is no memory for another event: those that steps hold use all of it; hold fewer"
                    )
                }
            }
            // What the step emits at the end is no longer collected.
            .do(onCompleted: end, onDispose: end)
        }
    }
}
