extension ObservableType {
    /// Tells at each element what `accumulator` has made of `seed` so far, in place. An error thrown by it ends the
    /// sequence.
    ///
    ///     source                              --a----b------c------|
    ///     scan(into: "") { $0 += $1 }         --a----ab-----abc----|
    ///
    /// While it has the state to itself, `accumulator` must not make the source tell another element.
    @preconcurrency
    @inlinable
    public func scan<Accumulated>(
        into seed: Accumulated, accumulator: @escaping @Sendable (inout Accumulated, Element) throws -> Void
    ) -> Observable<Accumulated> {
        asObservable().lift(.scan, with: AccumulationInPlace(seed: seed, accumulator: accumulator)) {
            ScanIntoSink(to: $1, $0)
        }
    }
}

@usableFromInline
final class ScanIntoSink<Input, Accumulated>: OperatorSink<Input, Accumulated> {
    private let accumulator: @Sendable (inout Accumulated, Input) throws -> Void
    /// Its exclusivity is checked: an accumulator that feeds its own source must not go unnoticed.
    private var accumulated: Accumulated

    @usableFromInline
    init(to downstream: Sink<Accumulated>, _ accumulation: AccumulationInPlace<Input, Accumulated>) {
        accumulator = accumulation.accumulator
        accumulated = accumulation.seed
        super.init(.scan, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        do {
            try accumulator(&accumulated, element)
        } catch {
            return downstream.error(error)
        }
        if live.isActive { downstream.next(accumulated) }
    }
}

/// What is accumulated in, and how.
@usableFromInline
struct AccumulationInPlace<Input, Accumulated> {
    @usableFromInline let seed: Accumulated
    @usableFromInline let accumulator: @Sendable (inout Accumulated, Input) throws -> Void

    @inlinable
    init(seed: Accumulated, accumulator: @escaping @Sendable (inout Accumulated, Input) throws -> Void) {
        self.seed = seed
        self.accumulator = accumulator
    }
}
