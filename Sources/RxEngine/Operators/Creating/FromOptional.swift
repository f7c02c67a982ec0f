extension ObservableType {
    /// An observable of the one element that there may be, delivered inside `subscribe`.
    ///
    ///     from(optional: x)       x|
    ///     from(optional: nil)     |
    @inlinable
    public static func from(optional: Element?) -> Observable<Element> {
        guard let optional else { return .empty() }
        return .just(optional)
    }

    /// An observable of the one element that there may be: it is a turn of `scheduler`, and the end is another.
    @inlinable
    public static func from(
        optional: Element?, scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> {
        .elements(of: optional.map { [$0] } ?? [], .from, on: scheduler)
    }
}
