extension ObservableType {
    /// An observable that says nothing, ever.
    ///
    ///     never()     ------>
    public static func never() -> Observable<Element> {
        .source(onTrampoline: false) { _ in Disposables.create() }
    }
}
