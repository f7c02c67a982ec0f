extension ObservableType {
    /// Emits, for each element, the value that `accumulator` has updated in place, starting from `seed`.
    ///
    ///     source                              --a----b------c------|
    ///     scan(into: "") { $0 += $1 }         --a----ab-----abc----|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `accumulator` throws.
    ///
    /// `accumulator` has exclusive access to the value: it must not make the source emit another element, or the
    /// program traps.
    /// Both it and the observer are called on the source's thread.
    ///
    /// - Parameters:
    ///   - seed: the initial value, which is not emitted.
    ///   - accumulator: updates the value with an element.
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
    @exclusivity(unchecked) private var accumulated: Accumulated
    /// Whether the accumulator has access to the value. An accumulator that makes its own source emit must trap; checking
    /// it here takes a tenth of the instructions that checked exclusivity does.
    @exclusivity(unchecked) private var isAccumulating = false

    @usableFromInline
    init(to downstream: Sink<Accumulated>, _ accumulation: AccumulationInPlace<Input, Accumulated>) {
        accumulator = accumulation.accumulator
        accumulated = accumulation.seed
        super.init(.scan, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        precondition(!isAccumulating, "scan(into:accumulator:): the accumulator made its own source emit an element")
        isAccumulating = true
        do {
            defer { isAccumulating = false }
            try accumulator(&accumulated, element)
        } catch {
            return downstream.error(Hooks.thrown(error, in: .scan))
        }
        if live.isActive { downstream.next(accumulated) }
    }
}

/// The parameters of ``ScanIntoSink``.
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
