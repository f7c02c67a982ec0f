extension ObservableType {
    /// Tells at each element what has been accumulated so far, from `seed` on. An error thrown by `accumulator` ends
    /// the sequence.
    ///
    ///     source          --1--2--3--|
    ///     scan(0, +)      --1--3--6--|
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
            downstream.error(error)
        }
    }
}

/// What is accumulated from, and how.
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
