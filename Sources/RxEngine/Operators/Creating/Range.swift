extension ObservableType where Element: RxAbstractInteger {
    /// Makes an observable of `count` consecutive integers, starting with `start`.
    ///
    ///     range(start: 3, count: 4)       3-4-5-6-|
    ///
    /// Each integer is one action on `scheduler`, and so is the completion after the last. By default they run on the
    /// subscribing thread. Never fails.
    ///
    /// - Parameters:
    ///   - start: the first integer.
    ///   - count: the number of integers. A negative number, or one that exceeds the range of the type, traps.
    ///   - scheduler: delivers the events.
    @inlinable
    public static func range(
        start: Element, count: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        precondition(count >= 0, "range(start:count:): the count must not be negative, but is \(count)")
        precondition(
            count == 0 || !start.addingReportingOverflow(count - 1).overflow,
            "range(start:count:): \(start) and the following integers, \(count) in all, do not fit \(Element.self)")
        return .loop(.range, on: scheduler, (start: start, count: count)) { range, sink in
            TrampolinedLoop(for: sink.live, (emitted: 0 as Element, range: range, sink: sink)) { state in
                guard state.emitted < state.range.count else {
                    state.sink.completed()
                    return false
                }
                let element = state.range.start + state.emitted
                state.emitted += 1
                state.sink.next(element)
                return true
            }
        }
    }
}
