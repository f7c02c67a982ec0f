extension ObservableType {
    /// Emits each element with its index, starting at 0.
    ///
    ///     source            --a--b--|
    ///     enumerated()      --0a-1b-|
    ///
    /// Completes and fails with the source. Fails with ``RxError/overflow`` if the index does not fit an `Int`.
    /// The observer is called on the source's thread.
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

/// Makes the tuple of an index and an element. The closure is made where the element type is known: it is specialized
/// for it, which a sink's own methods are not.
@usableFromInline
struct Numbering<Input, Output> {
    @usableFromInline let pair: (Int, Input) -> Output

    @inlinable
    init(pair: @escaping (Int, Input) -> Output) {
        self.pair = pair
    }
}
