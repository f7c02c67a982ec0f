import RxEngine
import RxJSON

/// The delivery of an event from a spool.
final class SpooledDelivery: Delivery {
    let event: SourceEvent
    private let sink: SpooledSink
    private let key: Int

    init(_ event: SourceEvent, _ sink: SpooledSink, at key: Int) {
        self.event = event
        self.sink = sink
        self.key = key
    }

    deinit { sink.settle(key) }

    var spool: SpooledSink? { sink }

    func begin(at sink: String, in branch: EventBranch) -> Arrival {
        self.sink.begin(key, at: sink, in: branch)
    }
    func arrival(_ number: Int, at sink: String) -> Arrival { self.sink.arrival(key, number, at: sink) }
    func finish(_ number: Int, at sink: String) { self.sink.finish(key, number, at: sink) }
    func fail(_ number: Int, at sink: String, _ failure: JSON) { self.sink.fail(key, number, at: sink, failure) }
    /// Charges nothing, since the spool bounds the events that its sink has at once.
    func countDerived(_ byteCount: Int) -> DerivedMemory? { nil }
    /// Does nothing, since all steps have processed the event.
    func changeResults(_ body: (inout StepResults) -> Void) {}
}
