extension ObservableType where Element: RxAbstractInteger {
    /// An observable of `count` integers from `start` on: each is a turn of `scheduler`, and the end is another.
    ///
    ///     range(start: 3, count: 4)       3-4-5-6-|
    ///
    /// A negative count, or one that leads beyond the integers of the type, traps.
    @inlinable
    public static func range(
        start: Element, count: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        precondition(count >= 0, "a range cannot have \(count) elements")
        precondition(
            count == 0 || !start.addingReportingOverflow(count - 1).overflow,
            "\(count) integers from \(start) on do not fit \(Element.self)")
        return .turns(.range, on: scheduler, (start: start, count: count)) { range, sink in
            Turns(for: sink.live, (told: 0 as Element, range: range, sink: sink)) { state in
                guard state.told < state.range.count else {
                    state.sink.completed()
                    return false
                }
                let element = state.range.start + state.told
                state.told += 1
                state.sink.next(element)
                return true
            }
        }
    }
}
