import RxJSON

// Unchecked: the lock of ``Unsettled`` guards all mutable state.
/// The delivery of one source event.
final class EventDelivery: Delivery, ListedDelivery, @unchecked Sendable {
    let event: SourceEvent
    private let value: JSON
    // Unretained: ``Unsettled`` retains itself while it has deliveries.
    private let unsettled: Unmanaged<UnsettledEventTable>
    // Below: guarded by the lock.
    /// The memory of the value, if the value is large, and of the step results, in bytes.
    private(set) var memory: Int
    /// The number of steps that collect the event.
    var collectors = 0
    var links = DeliveryList<EventDelivery>.Links()
    /// The progress at sinks and the results of steps; `nil` before one of them changes.
    private var history: History?
    /// Whether a snapshot contains the event.
    var isCaptured = false
    /// See ``UnsettledEvent/order``; 0 if the event was not accepted. Set before the delivery is shared.
    var order = 0

    /// The progress of sinks and the results of steps for one event.
    private final class History {
        var progress: SinkProgress
        var results: StepResults

        init(_ progress: SinkProgress = SinkProgress(), _ results: StepResults = StepResults()) {
            self.progress = progress
            self.results = results
        }
    }

    init(_ event: SourceEvent, _ value: JSON, in unsettled: UnsettledEventTable, memory: Int = 0) {
        self.event = event
        self.memory = memory
        self.value = value
        self.unsettled = .passUnretained(unsettled)
    }

    convenience init(_ event: UnsettledEvent, in unsettled: UnsettledEventTable) {
        self.init(event.event, event.value, in: unsettled, memory: event.value.memory)
        history = History(event.progress, event.results)
    }

    deinit {
        // The event was not accepted.
        if order == 0 { return }
        if unsettled.with({ $0.settle(self) }) { unsettled.release() }
    }

    var sourceValue: JSON? { value }

    func begin(at sink: String, in branch: EventBranch) -> Arrival {
        unsettled.with { $0.begin(self, at: sink, in: branch) }
    }
    func arrival(_ number: Int, at sink: String) -> Arrival { unsettled.with { $0.arrival(self, number, at: sink) } }
    func finish(_ number: Int, at sink: String) { unsettled.with { $0.note(self) { $0.finish(number, at: sink) } } }
    func fail(_ number: Int, at sink: String, _ failure: JSON) {
        unsettled.with { $0.note(self) { $0.fail(number, at: sink, failure) } }
    }
    func changeResults(_ body: (inout StepResults) -> Void) { unsettled.with { $0.changeResults(self, body) } }
    func countDerived(_ byteCount: Int) -> DerivedMemory? { unsettled.with { $0.countDerived(byteCount) } }
    func hasSource(where condition: (UnsettledEventTable) -> Bool) -> Bool { unsettled.with(condition) }
    func addCollectors(_ number: Int) { unsettled.with { $0.addCollectors(number, of: self) } }
    var memoryOfSoleCollector: Int { unsettled.with { $0.memoryOfSoleCollector(of: self) } }

    // MARK: - Under the lock

    /// The event with all history.
    var record: UnsettledEvent {
        UnsettledEvent(
            event, value, history?.progress ?? SinkProgress(), history?.results ?? StepResults(), order: order)
    }

    func changeProgress<Result>(_ body: (inout SinkProgress) -> Result) -> Result {
        let history = history ?? History()
        self.history = history
        return body(&history.progress)
    }

    func changeStepResults(_ body: (inout StepResults) -> Void) {
        let history = history ?? History()
        self.history = history
        let before = history.results.memory
        body(&history.results)
        memory += history.results.memory - before
    }
}

extension Unmanaged {
    /// Calls `body` with the instance without retaining it. The caller guarantees that it stays alive.
    func with<Result>(_ body: (Instance) -> Result) -> Result { _withUnsafeGuaranteedRef(body) }
}
