extension ObservableType {
    /// Each element with its number, from 0 on. Where an `Int` cannot count them any more, the sequence fails with
    /// ``RxError/overflow``.
    ///
    ///     source            --a--b--|
    ///     enumerated()      --0a-1b-|
    @inlinable
    public func enumerated() -> Observable<(index: Int, element: Element)> {
        let numbering = Numbering { (index: Int, element: Element) in (index: index, element: element) }
        return asObservable().lift(.enumerated, with: numbering) { EnumeratedSink(to: $1, $0) }
    }
}

@usableFromInline
final class EnumeratedSink<Input, Output>: OperatorSink<Input, Output> {
    private let pair: (Int, Input) -> Output
    @exclusivity(unchecked) private var index: Int? = 0

    @usableFromInline
    init(to downstream: Sink<Output>, _ numbering: Numbering<Input, Output>) {
        pair = numbering.pair
        super.init(.enumerated, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        guard let index else { return downstream.error(RxError.overflow) }
        self.index = index == .max ? nil : index + 1
        downstream.next(pair(index, element))
    }
}

/// How a number and an element become a tuple: compiled for its type where it is written, which a sink is not.
@usableFromInline
struct Numbering<Input, Output> {
    @usableFromInline let pair: (Int, Input) -> Output

    @inlinable
    init(pair: @escaping (Int, Input) -> Output) {
        self.pair = pair
    }
}
