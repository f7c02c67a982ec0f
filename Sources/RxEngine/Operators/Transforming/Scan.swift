extension ObservableType {
    /// Emits, for each element, the result of `accumulator` so far, starting from `seed`.
    ///
    ///     source          --1--2--3--|
    ///     scan(0, +)      --1--3--6--|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `accumulator` throws.
    /// `accumulator` and the observer are called on the source's thread.
    ///
    /// - Parameters:
    ///   - seed: the initial value, which is not emitted.
    ///   - accumulator: returns the next value for the value so far and an element.
    @preconcurrency
    @inlinable
    public func scan<Accumulated>(
        _ seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Element) throws -> Accumulated
    ) -> Observable<Accumulated> {
        asObservable().lift(.scan, with: Accumulation(seed: seed, accumulator: accumulator)) { ScanSink(to: $1, $0) }
    }
}

@usableFromInline
final class ScanSink<Input, Accumulated>: OperatorSink<Input, Accumulated> {
    private let accumulator: @Sendable (Accumulated, Input) throws -> Accumulated
    @exclusivity(unchecked) private var accumulated: Accumulated

    @usableFromInline
    init(to downstream: Sink<Accumulated>, _ accumulation: Accumulation<Input, Accumulated>) {
        accumulator = accumulation.accumulator
        accumulated = accumulation.seed
        super.init(.scan, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        do {
            let result = try accumulator(accumulated, element)
            accumulated = result
            if live.isActive { downstream.next(result) }
        } catch {
            downstream.error(Hooks.thrown(error, in: .scan))
        }
    }
}

/// The parameters of ``ScanSink`` and ``ReduceSink``.
@usableFromInline
struct Accumulation<Input, Accumulated> {
    @usableFromInline let seed: Accumulated
    @usableFromInline let accumulator: @Sendable (Accumulated, Input) throws -> Accumulated

    @inlinable
    init(seed: Accumulated, accumulator: @escaping @Sendable (Accumulated, Input) throws -> Accumulated) {
        self.seed = seed
        self.accumulator = accumulator
    }
}
