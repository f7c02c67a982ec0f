extension ObservableType {
    /// Emits all elements in one array when the source completes.
    ///
    ///     source        --1--2--3--|
    ///     toArray()     -----------[1, 2, 3]|
    ///
    /// Succeeds with an empty array for an empty source. Fails with the source's error and drops the elements.
    /// The thread that completes the source delivers the array.
    ///
    /// - Complexity: Memory grows with the number of elements.
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

/// Collects the elements, and emits the collection when the source completes.
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

/// The empty collection, and the closure that adds an element to it. The closure is made where both types are known: it
/// is specialized for them, which a sink's own methods are not.
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
