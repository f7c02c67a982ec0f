extension ObservableType {
    /// An observable of a state and what `iterate` makes of it again and again, while `condition` holds: each is a turn
    /// of `scheduler`, and the end is another.
    ///
    ///     generate(initialState: 1, condition: { $0 < 20 }, iterate: { $0 * 2 })      1-2-4-8-16-|
    ///
    /// An error thrown by either closure ends the sequence. The next state is made when its turn comes, so never one
    /// that nobody asks for.
    @preconcurrency
    @inlinable
    public static func generate(
        initialState: Element, condition: @escaping @Sendable (Element) throws -> Bool,
        scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance,
        iterate: @escaping @Sendable (Element) throws -> Element
    ) -> Observable<Element> {
        .turns(.generate, on: scheduler, (initialState, condition, iterate)) { seed, sink in
            Turns(for: sink.live, Generation(seed.0, seed.1, seed.2, sink)) { $0.turn() }
        }
    }
}

/// Where a run of `generate` stands.
@usableFromInline
struct Generation<Value> {
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
    mutating func turn() -> Bool {
        let goesOn: Bool
        do {
            if isFirst { isFirst = false } else { value = try iterate(value) }
            goesOn = try condition(value)
        } catch {
            if sink.live.isActive { sink.error(error) }
            return false
        }
        guard sink.live.isActive else { return false }
        if goesOn { sink.next(value) } else { sink.completed() }
        return goesOn
    }
}
