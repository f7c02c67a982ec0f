/// What an operator does with an element and the sink it tells.
///
/// The closure is written where an operator is assembled, so that it is compiled for the types there. A sink is not:
/// each optional, tuple or event of its elements' type would cost it more than the rest of the element's way.
@usableFromInline
struct Step<Input, Output> {
    @usableFromInline let take: (Input, Sink<Output>) throws -> Void

    @inlinable
    init(_ take: @escaping (Input, Sink<Output>) throws -> Void) {
        self.take = take
    }
}

@usableFromInline
final class StepSink<Input, Output>: OperatorSink<Input, Output> {
    private let take: (Input, Sink<Output>) throws -> Void

    @usableFromInline
    init(_ operation: Operator, to downstream: Sink<Output>, _ step: Step<Input, Output>) {
        take = step.take
        super.init(operation, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        do {
            try take(element, downstream)
        } catch {
            downstream.error(error)
        }
    }
}
