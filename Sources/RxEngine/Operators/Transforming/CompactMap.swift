extension ObservableType {
    /// Puts each element through `transform` and leaves out what becomes `nil`. An error thrown by it ends the sequence.
    ///
    ///     source                      --1--x--3--|
    ///     compactMap { Int($0) }      --1-----3--|
    @preconcurrency
    @inlinable
    public func compactMap<Result>(
        _ transform: @escaping @Sendable (Element) throws -> Result?
    ) -> Observable<Result> {
        asObservable().lift(.compactMap, with: Mapping(transform: transform)) { CompactMapSink(to: $1, $0.transform) }
    }
}

@usableFromInline
final class CompactMapSink<Input, Output>: OperatorSink<Input, Output> {
    private let transform: @Sendable (Input) throws -> Output?

    @usableFromInline
    init(to downstream: Sink<Output>, _ transform: @escaping @Sendable (Input) throws -> Output?) {
        self.transform = transform
        super.init(.compactMap, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        let result: Output?
        do {
            result = try transform(element)
        } catch {
            return downstream.error(error)
        }
        if let result, live.isActive { downstream.next(result) }
    }
}
