extension ObservableType {
    /// An observable of one element, delivered inside `subscribe`.
    ///
    ///     just(x)     x|
    public static func just(_ element: Element) -> Observable<Element> {
        .source(onTrampoline: false) { sink in
            sink.next(element)
            if sink.live.isActive { sink.completed() }
            return Disposables.create()
        }
    }

    /// An observable of one element, delivered on one turn of `scheduler`; the end follows on the next.
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        .from([element], scheduler: scheduler)
    }
}
