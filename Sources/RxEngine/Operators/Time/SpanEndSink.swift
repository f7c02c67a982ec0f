/// The sink of a sequence whose first element or completion ends a span of time: completes downstream at that moment.
@usableFromInline
class SpanEndSink<Mark, Element>: OperatorSink<Mark, Element> {
    /// Set before downstream is called, which may make the span emit another element at once.
    @exclusivity(unchecked) private final var isOver = false

    @usableFromInline
    override init(_ operation: Operator, to downstream: Sink<Element>) {
        super.init(operation, to: downstream)
    }

    /// Emits what follows from the end of the span.
    func emit() {}

    @usableFromInline
    override final func next(_ mark: Mark) {
        completed()
    }

    @usableFromInline
    override final func completed() {
        guard !isOver, live.isActive else { return }
        isOver = true
        emit()
        if live.isActive { downstream.completed() }
    }
}
