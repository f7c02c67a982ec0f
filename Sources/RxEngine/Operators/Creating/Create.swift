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
    @inlinable
    public static func create(
        _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
    ) -> Observable<Element> {
        .source(.create) { sink in
            let live = LiveSubscription()
            live.attach(subscribe(CreateSink(to: sink, live).asObserver()))
            return live
        }
    }
}

/// Enforces the grammar for a closure that may break it: the first terminal event silences the rest. Events after a
/// downstream operator has ended the sequence are dropped here, before any closure of the chain sees them.
@usableFromInline
final class CreateSink<Element>: Sink<Element> {
    private let downstream: Sink<Element>

    @usableFromInline
    init(to downstream: Sink<Element>, _ live: LiveSubscription) {
        self.downstream = downstream
        super.init(live)
    }

    @usableFromInline
    func asObserver() -> AnyObserver<Element> {
        AnyObserver(receiver: self)
    }

    @usableFromInline
    override func next(_ element: Element) {
        if live.isActive, downstream.live.isActive { downstream.next(element) }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        end(with: .error(error))
    }

    @usableFromInline
    override func completed() {
        end(with: .completed)
    }

    private func end(with end: Termination) {
        guard live.end() else { return }
        if downstream.live.isActive { downstream.stop(with: end) }
        live.dispose()
    }
}
