extension ObservableType {
    /// Tells all elements at the end, in an array.
    ///
    ///     source        --1--2--3--|
    ///     toArray()     -----------[1, 2, 3]|
    @inlinable
    public func toArray() -> Single<[Element]> {
        Single(raw: arrayed())
    }

    @inlinable
    func arrayed() -> Observable<[Element]> {
        let collection = Collecting<Element, [Element]>(seed: []) { $0.append($1) }
        return asObservable().lift(.toArray, with: collection) { CollectSink(.toArray, to: $1, $0) }
    }
}

/// Keeps what it is told in a collection, which it tells at the end.
@usableFromInline
final class CollectSink<Input, Elements>: OperatorSink<Input, Elements> {
    private let add: (inout Elements, Input) -> Void
    @exclusivity(unchecked) private var elements: Elements

    @usableFromInline
    init(_ operation: Operator, to downstream: Sink<Elements>, _ collecting: Collecting<Input, Elements>) {
        add = collecting.add
        elements = collecting.seed
        super.init(operation, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        add(&elements, element)
    }

    @usableFromInline
    override func completed() {
        guard live.isActive else { return }
        downstream.next(elements)
        if live.isActive { downstream.completed() }
    }
}

/// How a collection takes an element in: compiled for the two types where it is written, which a sink is not.
@usableFromInline
struct Collecting<Input, Elements> {
    @usableFromInline let seed: Elements
    @usableFromInline let add: (inout Elements, Input) -> Void

    @inlinable
    init(seed: Elements, add: @escaping (inout Elements, Input) -> Void) {
        self.seed = seed
        self.add = add
    }
}
