extension ObservableType {
    /// An observable that ends inside `subscribe`.
    ///
    ///     empty()     |
    @inlinable
    public static func empty() -> Observable<Element> {
        .source(.empty, onTrampoline: false) { sink in
            sink.completed()
            return Disposables.create()
        }
    }
}
