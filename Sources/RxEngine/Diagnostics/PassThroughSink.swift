/// A sink in front of another one, whose run it belongs to: it passes everything on, and has no ticket of its own.
class PassThroughSink<Element>: Sink<Element> {
    final let downstream: Sink<Element>

    init(to downstream: Sink<Element>) {
        self.downstream = downstream
        super.init(within: downstream.live)
    }

    override var record: SubscriptionRecord? { downstream.record }

    final override func error(_ error: any Error) {
        downstream.error(error)
    }

    final override func completed() {
        downstream.completed()
    }

    final override func noteTailRun(endsInTailRun: Bool) {
        downstream.noteTailRun(endsInTailRun: endsInTailRun)
    }
}
