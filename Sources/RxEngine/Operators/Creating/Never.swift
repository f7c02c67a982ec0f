extension ObservableType {
    /// An observable that says nothing, ever.
    ///
    ///     never()     ------>
    @inlinable
    public static func never() -> Observable<Element> {
        .source(.never, onTrampoline: false) { _ in Disposables.create() }
    }
}
