import RxJSON

// Unchecked: the lock of ``Unsettled`` guards all mutable state.
/// The delivery of one event.
final class EventDelivery: Delivery, @unchecked Sendable {
    let event: SourceEvent
    private let value: JSON
    // Retained once; a strong reference would be retained again for each call.
    private let unsettled: Unmanaged<Unsettled>
    // Below: guarded by the lock.
    /// `nil` as long as there are none.
    private var notes: Notes?
    /// Whether a snapshot has the event.
    var isCaptured = false
    /// The number of the event among all that its source has accepted; 0 if it was not.
    var order = 0
    fileprivate var previous: Unmanaged<EventDelivery>?
    fileprivate var next: Unmanaged<EventDelivery>?

    /// What sinks and steps note of one event.
    private final class Notes {
        var progress: SinkProgress
        var results: StepResults

        init(_ progress: SinkProgress = SinkProgress(), _ results: StepResults = StepResults()) {
            self.progress = progress
            self.results = results
        }
    }

    init(_ event: SourceEvent, _ value: JSON, in unsettled: Unsettled) {
        self.event = event
        self.value = value
        self.unsettled = .passRetained(unsettled)
    }

    convenience init(_ event: UnsettledEvent, in unsettled: Unsettled) {
        self.init(event.event, event.value, in: unsettled)
        notes = Notes(event.progress, event.results)
    }

    deinit {
        unsettled.with { $0.settle(self) }
        unsettled.release()
    }

    func begin(at sink: String) -> Arrival? { unsettled.with { $0.begin(self, at: sink) } }
    func finish(_ number: Int, at sink: String) { unsettled.with { $0.note(self) { $0.finish(number, at: sink) } } }
    func fail(_ number: Int, at sink: String, _ failure: JSON) {
        unsettled.with { $0.note(self) { $0.fail(number, at: sink, failure) } }
    }
    func changeResults(_ body: (inout StepResults) -> Void) { unsettled.with { $0.changeResults(self, body) } }

    // MARK: - Under the lock

    /// The event with all notes.
    var record: UnsettledEvent {
        UnsettledEvent(event, value, notes?.progress ?? SinkProgress(), notes?.results ?? StepResults())
    }

    func changeProgress<Result>(_ body: (inout SinkProgress) -> Result) -> Result {
        let notes = notes ?? Notes()
        self.notes = notes
        return body(&notes.progress)
    }

    func changeStepResults(_ body: (inout StepResults) -> Void) {
        let notes = notes ?? Notes()
        self.notes = notes
        body(&notes.results)
    }
}

/// Deliveries in the order in which they were added. It does not retain them: each is removed by its deinitializer, which
/// waits for the lock that guards the list.
struct DeliveryList {
    private var first: Unmanaged<EventDelivery>?
    private var last: Unmanaged<EventDelivery>?
    private(set) var count = 0

    mutating func append(_ delivery: EventDelivery) {
        let added = Unmanaged.passUnretained(delivery)
        delivery.previous = last
        if let last { last.with { $0.next = added } } else { first = added }
        last = added
        count += 1
    }

    mutating func remove(_ delivery: EventDelivery) {
        let (previous, next) = (delivery.previous, delivery.next)
        if let previous { previous.with { $0.next = next } } else { first = next }
        if let next { next.with { $0.previous = previous } } else { last = previous }
        count -= 1
    }

    func forEach(_ body: (EventDelivery) -> Void) {
        var current = first
        while let delivery = current {
            current = delivery.with {
                body($0)
                return $0.next
            }
        }
    }
}

extension Unmanaged {
    /// Calls `body` with the instance, which somebody else retains.
    fileprivate func with<Result>(_ body: (Instance) -> Result) -> Result { _withUnsafeGuaranteedRef(body) }
}
