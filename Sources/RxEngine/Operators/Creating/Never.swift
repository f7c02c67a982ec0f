extension ObservableType {
    /// Makes an observable that emits nothing and never ends.
    ///
    ///     never()     ------>
    @inlinable
    public static func never() -> Observable<Element> {
        .source(.never, onTrampoline: false) { _ in Disposables.create() }
    }
}
