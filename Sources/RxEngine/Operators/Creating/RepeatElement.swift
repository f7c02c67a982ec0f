extension ObservableType {
    /// Makes an observable that emits `element` again and again, and never ends.
    ///
    ///     repeatElement(x)    x-x-x-x-->
    ///
    /// Each element is one action on `scheduler`; by default they run on the subscribing thread, in a loop that only
    /// disposing ends.
    ///
    /// - Parameters:
    ///   - element: the element.
    ///   - scheduler: delivers the elements.
    @inlinable
    public static func repeatElement(
        _ element: Element, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        .loop(.repeatElement, on: scheduler, element) { element, sink in
            TrampolinedLoop(for: sink.live, (element: element, sink: sink)) { state in
                state.sink.next(state.element)
                return true
            }
        }
    }
}
