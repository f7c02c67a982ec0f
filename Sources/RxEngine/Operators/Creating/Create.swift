extension ObservableType {
    /// An observable whose every run is what `subscribe` does with its observer.
    ///
    ///     create { observer in
    ///         observer.onNext(1)          // --1--|
    ///         observer.onCompleted()
    ///         return Disposables.create()
    ///     }
    ///
    /// What the closure returns is disposed when the sequence has ended or is disposed, even where the end came before
    /// the closure returned. Events after the first terminal one are ignored. The observer may be called from any
    /// thread, but never from two at once.
    @preconcurrency
    public static func create(
        _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
    ) -> Observable<Element> {
        .source { sink in
            let live = LiveSubscription()
            live.attach(subscribe(AnyObserver(receiver: CreateSink(to: sink, live))))
            return live
        }
    }
}

/// Keeps the grammar for a closure that may not: the first terminal event silences the rest.
private final class CreateSink<Element>: Sink<Element> {
    private let downstream: Sink<Element>

    init(to downstream: Sink<Element>, _ live: LiveSubscription) {
        self.downstream = downstream
        super.init(live)
    }

    override func next(_ element: Element) {
        if live.isActive { downstream.next(element) }
    }

    override func error(_ error: any Error) {
        guard live.end() else { return }
        downstream.error(error)
        live.dispose()
    }

    override func completed() {
        guard live.end() else { return }
        downstream.completed()
        live.dispose()
    }
}
