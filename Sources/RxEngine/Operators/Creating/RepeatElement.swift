extension ObservableType {
    /// An observable of the same element for ever, one at each turn of `scheduler`.
    ///
    ///     repeatElement(x)    x-x-x-x-->
    @inlinable
    public static func repeatElement(
        _ element: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        .turns(.repeatElement, on: scheduler, element) { element, sink in
            Turns(for: sink.live, (element: element, sink: sink)) { state in
                state.sink.next(state.element)
                return true
            }
        }
    }
}
