extension ObservableType {
    /// Makes an observable of the element, if there is one, and completes inside `subscribe`.
    ///
    ///     from(optional: x)       x|
    ///     from(optional: nil)     |
    @inlinable
    public static func from(optional: Element?) -> Observable<Element> {
        guard let optional else { return .empty() }
        return .just(optional)
    }

    /// Makes an observable of the element, if there is one, delivered on `scheduler`.
    ///
    ///     from(optional: x, scheduler: s)       x-|
    ///     from(optional: nil, scheduler: s)     |
    ///
    /// The element is one action on `scheduler`, and the completion another. Never fails.
    ///
    /// - Parameters:
    ///   - optional: the element, or `nil` for an empty sequence.
    ///   - scheduler: delivers the events.
    @inlinable
    public static func from(
        optional: Element?, scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> {
        .elements(of: optional.map { [$0] } ?? [], .from, on: scheduler)
    }
}
