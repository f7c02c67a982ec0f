extension ObservableType {
    /// Emits the final result of `accumulator`, starting from `seed`, when the source completes.
    ///
    ///     source            --1--2--3--|
    ///     reduce(0, +)      -----------6|
    ///
    /// Completes after the result, which is `seed` for an empty source. Fails, without a result, with the source's
    /// error or with the error that `accumulator` throws.
    /// `accumulator` runs on the source's thread, and the thread that completes the source delivers the result.
    ///
    /// - Parameters:
    ///   - seed: the initial value.
    ///   - accumulator: returns the next value for the value so far and an element.
    @preconcurrency
    @inlinable
    public func reduce<Accumulated>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) throws -> Accumulated
    ) -> Observable<Accumulated> {
        reduce(seed, accumulator: accumulator, mapResult: { $0 })
    }

    /// Emits what `mapResult` makes of the final result of `accumulator`, when the source completes.
    ///
    /// The accumulation starts from `seed`.
    ///
    ///     source                                      --1--2--3--|
    ///     reduce(0, +, mapResult: String.init)        -----------"6"|
    ///
    /// Completes after the result. Fails, without a result, with the source's error or with the error that a closure
    /// throws.
    /// The closures run on the source's thread, and the thread that completes the source delivers the result.
    ///
    /// - Parameters:
    ///   - seed: the initial value.
    ///   - accumulator: returns the next value for the value so far and an element.
    ///   - mapResult: converts the final value.
    @preconcurrency
    @inlinable
    public func reduce<Accumulated, Result>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) throws -> Accumulated,
        mapResult: @escaping @Sendable (Accumulated) throws -> Result
    ) -> Observable<Result> {
        let accumulation = Accumulation(seed: seed, accumulator: accumulator)
        return asObservable().lift(.reduce) { ReduceSink(to: $0, accumulation, mapResult) }
    }
}

@usableFromInline
final class ReduceSink<Input, Accumulated, Output>: OperatorSink<Input, Output> {
    private let accumulator: @Sendable (Accumulated, Input) throws -> Accumulated
    private let mapResult: @Sendable (Accumulated) throws -> Output
    @exclusivity(unchecked) private var accumulated: Accumulated

    @usableFromInline
    init(
        to downstream: Sink<Output>, _ accumulation: Accumulation<Input, Accumulated>,
        _ mapResult: @escaping @Sendable (Accumulated) throws -> Output
    ) {
        accumulator = accumulation.accumulator
        accumulated = accumulation.seed
        self.mapResult = mapResult
        super.init(.reduce, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        do {
            accumulated = try accumulator(accumulated, element)
        } catch {
            downstream.error(Hooks.thrown(error, in: .reduce))
        }
    }

    @usableFromInline
    override func completed() {
        guard live.isActive else { return }
        do {
            let result = try mapResult(accumulated)
            guard live.isActive else { return }
            downstream.next(result)
            if live.isActive { downstream.completed() }
        } catch {
            downstream.error(Hooks.thrown(error, in: .reduce))
        }
    }
}
