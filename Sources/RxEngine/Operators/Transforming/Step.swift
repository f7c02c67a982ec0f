/// The action of an operator for one element and its downstream sink.
///
/// The closure is made where the operator is assembled, so that it is specialized for the element types. The methods of
/// a sink are not: each optional, tuple or event of their element type would cost more than the rest of the operator.
@usableFromInline
struct Step<Input, Output> {
    @usableFromInline let receive: (Input, Sink<Output>) throws -> Void

    @inlinable
    init(_ receive: @escaping (Input, Sink<Output>) throws -> Void) {
        self.receive = receive
    }
}

@usableFromInline
final class StepSink<Input, Output>: OperatorSink<Input, Output> {
    private let receive: (Input, Sink<Output>) throws -> Void

    @usableFromInline
    init(_ operation: Operator, to downstream: Sink<Output>, _ step: Step<Input, Output>) {
        receive = step.receive
        super.init(operation, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        do {
            try receive(element, downstream)
        } catch {
            downstream.error(Hooks.thrown(error, in: operation))
        }
    }
}
