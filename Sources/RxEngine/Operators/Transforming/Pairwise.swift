extension ObservableType {
    /// Each element from the second on, with the one before it.
    ///
    ///     source          --1--2--3--|
    ///     pairwise()      -----12-23-|
    @inlinable
    public func pairwise() -> Observable<(previous: Element, current: Element)> {
        let pairing = Pairing { (previous: Element, current: Element) in (previous: previous, current: current) }
        return asObservable().lift(.pairwise, with: pairing) { PairwiseSink(to: $1, $0) }
    }
}

@usableFromInline
final class PairwiseSink<Input, Output>: OperatorSink<Input, Output> {
    private let pair: (Input, Input) -> Output
    @exclusivity(unchecked) private var previous = Room<Input>()

    @usableFromInline
    init(to downstream: Sink<Output>, _ pairing: Pairing<Input, Output>) {
        pair = pairing.pair
        super.init(.pairwise, to: downstream)
    }

    /// The element is kept before anybody is told: whoever hears of it may bring the next one at once.
    @usableFromInline
    override func next(_ element: Input) {
        if previous.isEmpty { return previous.put(element) }
        var before = element
        previous.exchange(&before)
        downstream.next(pair(before, element))
    }
}

/// How two elements become a tuple: compiled for its type where it is written, which a sink is not.
@usableFromInline
struct Pairing<Input, Output> {
    @usableFromInline let pair: (Input, Input) -> Output

    @inlinable
    init(pair: @escaping (Input, Input) -> Output) {
        self.pair = pair
    }
}
