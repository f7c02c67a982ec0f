extension ObservableType {
    /// Puts each element through `transform`. An error thrown by it ends the sequence.
    ///
    ///     source              --1--2--3--|
    ///     map { $0 * 10 }     --10-20-30-|
    @preconcurrency
    @inlinable
    public func map<Result>(
        _ transform: @escaping @Sendable (Element) throws -> Result
    ) -> Observable<Result> {
        asObservable().lift(.map, with: Mapping(transform: transform)) { MapSink(to: $1, $0.transform) }
    }
}

@usableFromInline
final class MapSink<Input, Output>: OperatorSink<Input, Output> {
    private let transform: @Sendable (Input) throws -> Output

    @usableFromInline
    init(to downstream: Sink<Output>, _ transform: @escaping @Sendable (Input) throws -> Output) {
        self.transform = transform
        super.init(.map, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        let result: Output
        do {
            result = try transform(element)
        } catch {
            return downstream.error(error)
        }
        if live.isActive { downstream.next(result) }
    }
}

/// A closure as a parameter of ``Observable/lift(_:with:_:)``: bare, it would be wrapped in another.
@usableFromInline
struct Mapping<Input, Output> {
    @usableFromInline let transform: @Sendable (Input) throws -> Output

    @inlinable
    init(transform: @escaping @Sendable (Input) throws -> Output) {
        self.transform = transform
    }
}
