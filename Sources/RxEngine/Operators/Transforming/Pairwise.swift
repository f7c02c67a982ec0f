extension ObservableType {
    /// Emits each element, from the second on, with the element before it.
    ///
    ///     source          --1--2--3--|
    ///     pairwise()      -----12-23-|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread.
    @inlinable
    public func pairwise() -> Observable<(previous: Element, current: Element)> {
        let pairing = Pairing { (previous: Element, current: Element) in (previous: previous, current: current) }
        return asObservable().lift(.pairwise, with: pairing) { PairwiseSink(to: $1, $0) }
    }
}

@usableFromInline
final class PairwiseSink<Input, Output>: OperatorSink<Input, Output> {
    private let pair: (Input, Input) -> Output
    @exclusivity(unchecked) private var previous = ElementBox<Input>()

    @usableFromInline
    init(to downstream: Sink<Output>, _ pairing: Pairing<Input, Output>) {
        pair = pairing.pair
        super.init(.pairwise, to: downstream)
    }

    /// Stores the element before it calls downstream, which may make the source emit the next element at once.
    @usableFromInline
    override func next(_ element: Input) {
        if previous.isEmpty { return previous.store(element) }
        let result = pair(previous.element, element)
        previous.store(element)
        downstream.next(result)
    }
}

/// Makes the tuple of two elements. The closure is made where the element type is known: it is specialized for it,
/// which a sink's own methods are not.
@usableFromInline
struct Pairing<Input, Output> {
    @usableFromInline let pair: (Input, Input) -> Output

    @inlinable
    init(pair: @escaping (Input, Input) -> Output) {
        self.pair = pair
    }
}
