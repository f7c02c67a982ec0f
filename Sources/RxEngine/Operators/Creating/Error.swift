extension ObservableType {
    /// Makes an observable that fails with `error` inside `subscribe`.
    ///
    ///     error(e)    X
    @inlinable
    public static func error(_ error: any Swift.Error) -> Observable<Element> {
        .source(.error, onTrampoline: false) { sink in
            sink.error(error)
            return Disposables.create()
        }
    }
}
