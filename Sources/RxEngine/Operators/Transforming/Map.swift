extension ObservableType {
    /// Puts each element through `transform`. An error thrown by it ends the sequence.
    ///
    ///     source              --1--2--3--|
    ///     map { $0 * 10 }     --10-20-30-|
    @preconcurrency
    public func map<Result>(
        _ transform: @escaping @Sendable (Element) throws -> Result
    ) -> Observable<Result> {
        asObservable().lift { MapSink(to: $0, transform) }
    }
}

private final class MapSink<Input, Output>: OperatorSink<Input, Output> {
    private let transform: @Sendable (Input) throws -> Output

    init(to downstream: Sink<Output>, _ transform: @escaping @Sendable (Input) throws -> Output) {
        self.transform = transform
        super.init(to: downstream)
    }

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
