import RxJSON

// Unchecked: the lock of ``Unsettled`` guards all mutable state.
/// The delivery of one event.
final class EventDelivery: Delivery, ListedDelivery, @unchecked Sendable {
    let event: SourceEvent
    private let value: JSON
    // Not retained: it retains itself while it has deliveries.
    private let unsettled: Unmanaged<Unsettled>
    // Below: guarded by the lock.
    var links = DeliveryList<EventDelivery>.Links()
    /// `nil` as long as there are none.
    private var notes: Notes?
    /// Whether a snapshot has the event.
    var isCaptured = false
    /// See ``UnsettledEvent/order``; 0 if the event was not accepted. Set before anyone else has the delivery.
    var order = 0

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
        self.unsettled = .passUnretained(unsettled)
    }

    convenience init(_ event: UnsettledEvent, in unsettled: Unsettled) {
        self.init(event.event, event.value, in: unsettled)
        notes = Notes(event.progress, event.results)
    }

    deinit {
        // It was not accepted.
        if order == 0 { return }
        if unsettled.with({ $0.settle(self) }) { unsettled.release() }
    }

    func begin(at sink: String, in branch: EventBranch) -> Arrival {
        unsettled.with { $0.begin(self, at: sink, in: branch) }
    }
    func arrival(_ number: Int, at sink: String) -> Arrival { unsettled.with { $0.arrival(self, number, at: sink) } }
    func finish(_ number: Int, at sink: String) { unsettled.with { $0.note(self) { $0.finish(number, at: sink) } } }
    func fail(_ number: Int, at sink: String, _ failure: JSON) {
        unsettled.with { $0.note(self) { $0.fail(number, at: sink, failure) } }
    }
    func changeResults(_ body: (inout StepResults) -> Void) { unsettled.with { $0.changeResults(self, body) } }

    // MARK: - Under the lock

    /// The event with all notes.
    var record: UnsettledEvent {
        UnsettledEvent(event, value, notes?.progress ?? SinkProgress(), notes?.results ?? StepResults(), order: order)
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

extension Unmanaged {
    /// Calls `body` with the instance, which somebody else retains.
    func with<Result>(_ body: (Instance) -> Result) -> Result { _withUnsafeGuaranteedRef(body) }
}
