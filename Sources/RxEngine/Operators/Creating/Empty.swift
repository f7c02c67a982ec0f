extension ObservableType {
    /// An observable that ends inside `subscribe`.
    ///
    ///     empty()     |
    public static func empty() -> Observable<Element> {
        .source(onTrampoline: false) { sink in
            sink.completed()
            return Disposables.create()
        }
    }
}
