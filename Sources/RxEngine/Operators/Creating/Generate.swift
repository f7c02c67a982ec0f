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
        .turns(.generate, on: scheduler) { sink in
            var state = initialState
            var isFirst = true
            return {
                let goesOn: Bool
                do {
                    if isFirst { isFirst = false } else { state = try iterate(state) }
                    goesOn = try condition(state)
                } catch {
                    if sink.live.isActive { sink.error(error) }
                    return false
                }
                guard sink.live.isActive else { return false }
                if goesOn { sink.next(state) } else { sink.completed() }
                return goesOn
            }
        }
    }
}
