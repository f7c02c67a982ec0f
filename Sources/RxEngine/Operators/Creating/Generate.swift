extension ObservableType {
    /// Makes an observable of an initial state and the states that `iterate` derives from it, while `condition` holds.
    ///
    ///     generate(initialState: 1, condition: { $0 < 20 }, iterate: { $0 * 2 })      1-2-4-8-16-|
    ///
    /// Each state is one action on `scheduler`, and so is the completion after the last. By default they run on the
    /// subscribing thread. Each state is made only when it is about to be emitted. Fails with the error that a closure
    /// throws.
    ///
    /// - Parameters:
    ///   - initialState: the first state.
    ///   - condition: whether to emit a state. If not, the sequence completes.
    ///   - scheduler: delivers the events.
    ///   - iterate: returns the next state.
    @preconcurrency
    @inlinable
    public static func generate(
        initialState: Element, condition: @escaping @Sendable (Element) throws -> Bool,
        scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance,
        iterate: @escaping @Sendable (Element) throws -> Element
    ) -> Observable<Element> {
        .loop(.generate, on: scheduler, (initialState, condition, iterate)) { seed, sink in
            TrampolinedLoop(for: sink.live, GenerateState(seed.0, seed.1, seed.2, sink)) { $0.step() }
        }
    }
}

/// The state of a run of `generate`.
@usableFromInline
struct GenerateState<Value> {
    private var value: Value
    private var isFirst = true
    private let condition: @Sendable (Value) throws -> Bool
    private let iterate: @Sendable (Value) throws -> Value
    private let sink: Sink<Value>

    @usableFromInline
    init(
        _ value: Value, _ condition: @escaping @Sendable (Value) throws -> Bool,
        _ iterate: @escaping @Sendable (Value) throws -> Value, _ sink: Sink<Value>
    ) {
        self.value = value
        self.condition = condition
        self.iterate = iterate
        self.sink = sink
    }

    @usableFromInline
    mutating func step() -> Bool {
        let hasNext: Bool
        do {
            if isFirst { isFirst = false } else { value = try iterate(value) }
            hasNext = try condition(value)
        } catch {
            if sink.live.isActive { sink.error(Hooks.thrown(error, in: .generate)) }
            return false
        }
        guard sink.live.isActive else { return false }
        if hasNext { sink.next(value) } else { sink.completed() }
        return hasNext
    }
}
