import RxEngine
import RxJSON

/// The delivery of one of the events that an endless inner source makes of another event. What is made of that one event
/// is numbered here. Sinks keep no progress for it: a redelivered outer event makes new ones.
final class PartDelivery: Delivery {
    private typealias Counts = Locked<[String: BranchCounts]>

    private let whole: any Delivery
    /// How many events made of it have come to each sink.
    private let counts: Counts

    /// - Parameter whole: the delivery of the outer event.
    convenience init(of whole: any Delivery) {
        self.init(whole, Counts([:]))
    }

    private init(_ whole: any Delivery, _ counts: Counts) {
        (self.whole, self.counts) = (whole, counts)
    }

    var event: SourceEvent { whole.event }

    func begin(at sink: String, in branch: EventBranch) -> Arrival {
        Arrival(number: counts.withLock { $0[sink, default: BranchCounts()].next(in: branch) })
    }

    func arrival(_ number: Int, at sink: String) -> Arrival { Arrival(number: number) }
    func finish(_ number: Int, at sink: String) {}
    func fail(_ number: Int, at sink: String, _ failure: JSON) {}
    func changeResults(_ body: (inout StepResults) -> Void) {}

    var spool: SpooledSink? { whole.spool }

    var outsideSteps: any Delivery { with(whole.outsideSteps) }

    func outside(of steps: StepEntries) -> any Delivery { with(whole.outside(of: steps)) }

    private func with(_ other: any Delivery) -> any Delivery { other === whole ? self : PartDelivery(other, counts) }

    func isMade(of entry: ObjectIdentifier) -> Bool { whole.isMade(of: entry) }

    func isInside(_ steps: Set<ObjectIdentifier>) -> Bool { whole.isInside(steps) }
}
