import RxEngine
import RxJSON

/// The delivery of one of the events that an endless inner source makes of an outer event. It records the progress of
/// sinks for that event in memory only: a redelivered outer event makes new ones.
final class PartDelivery: Delivery {
    private let whole: any Delivery
    private let progress: Locked<SinkProgress>

    /// - Parameter whole: the delivery of the outer event.
    convenience init(of whole: any Delivery) {
        self.init(whole, Locked(SinkProgress()))
    }

    private init(_ whole: any Delivery, _ progress: Locked<SinkProgress>) {
        (self.whole, self.progress) = (whole, progress)
    }

    var event: SourceEvent { whole.event }
    var sourceEvents: [SourceEvent] { whole.sourceEvents }
    var sourceValue: JSON? { whole.sourceValue }

    func begin(at sink: String, in branch: EventBranch) -> Arrival {
        progress.withLock { $0.begin(at: sink, in: branch) }
    }

    func arrival(_ number: Int, at sink: String) -> Arrival {
        progress.withLock { $0.arrival(number, at: sink) }
    }

    func finish(_ number: Int, at sink: String) {
        progress.withLock { $0.finish(number, at: sink) }
    }

    func fail(_ number: Int, at sink: String, _ failure: JSON) {
        progress.withLock { $0.fail(number, at: sink, failure) }
    }

    func changeResults(_ body: (inout StepResults) -> Void) {}

    func countDerived(_ byteCount: Int) -> DerivedMemory? { whole.countDerived(byteCount) }

    func hasSource(where condition: (UnsettledEventTable) -> Bool) -> Bool { whole.hasSource(where: condition) }

    func addCollectors(_ number: Int) { whole.addCollectors(number) }

    var memoryOfSoleCollector: Int { whole.memoryOfSoleCollector }

    var spool: SpooledSink? { whole.spool }

    var outsideSteps: any Delivery { with(whole.outsideSteps) }

    func outside(of steps: StepEntryTracker) -> any Delivery { with(whole.outside(of: steps)) }

    private func with(_ other: any Delivery) -> any Delivery { other === whole ? self : PartDelivery(other, progress) }

    func isMade(of entry: ObjectIdentifier) -> Bool { whole.isMade(of: entry) }

    func isInside(_ steps: Set<ObjectIdentifier>) -> Bool { whole.isInside(steps) }
}
