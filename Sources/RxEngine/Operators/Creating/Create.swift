extension ObservableType {
    /// Makes an observable that calls `subscribe` with each observer.
    ///
    ///     create { observer in
    ///         observer.onNext(1)          // --1--|
    ///         observer.onCompleted()
    ///         return Disposables.create()
    ///     }
    ///
    /// The returned disposable is disposed when the sequence has ended or is disposed, even if it ended before the
    /// closure returned. Events after the first completion or error are ignored. The observer may be called from any
    /// thread, but never from two at once; it delivers each event on the thread that calls it.
    ///
    /// - Parameter subscribe: emits to the observer, at once or later, and returns the disposable that stops it.
    @preconcurrency
    @inlinable
    public static func create(
        _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Disposable
    ) -> Observable<Element> {
        .source(.create) { sink in
            if Hooks.reportsDrops { return CreateSink.runReportingDrops(into: sink, subscribe) }
            let live = LiveSubscription(into: sink)
            live.attach(subscribe(CreateSink(to: sink, live).asObserver()))
            return live
        }
    }
}

/// Enforces the grammar of ``Event`` on a closure that may violate it: the first terminal event silences the sink. It
/// also drops events after a downstream operator has ended the sequence, before any closure of the chain sees them.
///
/// Not a ``BoundarySink``, whose method to end a run is called through the class: the optimizer keeps this sink on the
/// stack if `subscribe` does not store the observer.
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

    /// Runs the closure while ``Hooks/onNextDropped`` is set: with one more sink. Apart
    /// from the usual run, in which no code may store the sink.
    @usableFromInline @inline(never)
    static func runReportingDrops(
        into sink: Sink<Element>, _ subscribe: (AnyObserver<Element>) -> any Disposable
    ) -> any Disposable {
        let live = LiveSubscription(into: sink)
        let observer = AnyObserver(receiver: DropReportingSink.wrapping(CreateSink(to: sink, live)))
        live.attach(subscribe(observer))
        return live
    }

    @usableFromInline
    override func next(_ element: Element) {
        if live.isActive, downstream.live.isActive { downstream.next(element) }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        live.fail(error) {
            if downstream.live.isActive { downstream.error(error) } else { Hooks.dropped(error: error) }
        }
    }

    @usableFromInline
    override func completed() {
        live.end { if downstream.live.isActive { downstream.completed() } }
    }
}
