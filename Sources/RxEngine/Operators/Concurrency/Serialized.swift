extension ObservableType {
    /// Delivers one event at a time, of a source that breaks the grammar by emitting on several threads at once.
    ///
    ///     source          --1
    ///                     --2--3--|     on another thread
    ///     serialized()    --12-3--|
    ///
    /// An element that arrives while another one is being delivered follows it, on the thread that delivers. Completes
    /// and fails with the source; events that arrive after the end are dropped.
    @inlinable
    public func serialized() -> Observable<Element> {
        asObservable().lift(.serialized) { SerializedSink(to: $0) }
    }
}

// Unchecked: its state is the drain's.
@usableFromInline
final class SerializedSink<Element>: OperatorSink<Element, Element>, @unchecked Sendable {
    private let drain = SerializedDrain()

    @usableFromInline
    override init(to downstream: Sink<Element>) {
        super.init(.serialized, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard drain.enter() else { return drain.post { self.deliver(element) } }
        deliver(element)
        drain.leave()
    }

    private func deliver(_ element: Element) {
        if live.isActive { downstream.next(element) }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        drain.run { [downstream] in downstream.error(error) }
    }

    @usableFromInline
    override func completed() {
        drain.run { [downstream] in downstream.completed() }
    }
}
