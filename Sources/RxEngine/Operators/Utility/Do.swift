import Synchronization

extension ObservableType {
    /// Calls closures beside the events of this sequence. An error that a closure throws ends the sequence in place of
    /// the event that the closure was called for.
    ///
    ///     source                          --1--2--|
    ///     do(onNext: { print($0) })       --1--2--|     prints 1 and 2
    ///
    /// The closures change nothing else: the source is subscribed to, and freed, when it would be without them.
    ///
    /// The order for a source that ends inside `subscribe`: `onSubscribe`, the events, the source is freed,
    /// `onSubscribed`, `onDispose`. For a source that ends later: the end, `afterError` or `afterCompleted`, the source
    /// is freed, `onDispose`. Nested operators run `onDispose` from the innermost, which is closest to the source,
    /// outwards.
    ///
    /// - Parameters:
    ///   - onNext: called before each element is delivered downstream.
    ///   - afterNext: called after each element was delivered downstream.
    ///   - onError: called before the error is delivered downstream.
    ///   - afterError: called after the error was delivered downstream, before the source is freed.
    ///   - onCompleted: called before the completion is delivered downstream.
    ///   - afterCompleted: called after the completion was delivered downstream, before the source is freed.
    ///   - onSubscribe: called before the source is subscribed to.
    ///   - onSubscribed: called after the source was subscribed to.
    ///   - onDispose: called exactly once, after the source was freed because the sequence ended or was disposed.
    @preconcurrency
    @inlinable
    public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil, afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil, afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil, onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Observable<Element> {
        let watch = Watch(
            onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError, onCompleted: onCompleted,
            afterCompleted: afterCompleted)
        let source = asObservable()
        if onSubscribe == nil, onSubscribed == nil, onDispose == nil, afterError == nil, afterCompleted == nil {
            return source.lift(.do, with: watch) { DoSink(to: $1, $0, nil) }
        }
        return .source(.do) { sink in
            onSubscribe?()
            let subscription = DoSubscription(onDispose)
            let run = source.run(DoSink(to: sink, watch, subscription))
            // The caller can dispose the subscription only when it was returned. A sequence that is over by now is
            // freed before `onSubscribed`; one whose end is still to be delivered is freed after that, as without the
            // closures.
            if sink.live.isDisposed { run.dispose() } else { subscription.attach(run) }
            onSubscribed?()
            return subscription
        }
    }
}

@usableFromInline
final class DoSink<Element>: OperatorSink<Element, Element> {
    private let watch: Watch<Element>
    private let subscription: DoSubscription?

    @usableFromInline
    init(to downstream: Sink<Element>, _ watch: Watch<Element>, _ subscription: DoSubscription?) {
        self.watch = watch
        self.subscription = subscription
        super.init(.do, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        do {
            try watch.onNext?(element)
            guard live.isActive else { return }
            downstream.next(element)
            try watch.afterNext?(element)
        } catch {
            if live.isActive { downstream.error(error) }
        }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        guard live.isActive else { return }
        do {
            try watch.onError?(error)
            guard live.isActive else { return }
        } catch {
            if live.isActive { downstream.error(error) }
            return
        }
        guard let afterError = watch.afterError else { return downstream.error(error) }
        subscription?.deliver({ try afterError(error) }) { downstream.error(error) }
    }

    @usableFromInline
    override func completed() {
        guard live.isActive else { return }
        do {
            try watch.onCompleted?()
            guard live.isActive else { return }
        } catch {
            if live.isActive { downstream.error(error) }
            return
        }
        guard let afterCompleted = watch.afterCompleted else { return downstream.completed() }
        subscription?.deliver(afterCompleted) { downstream.completed() }
    }
}

// Unchecked: mutable state is behind the lock.
/// The subscription of a `do`: frees the source, then calls `onDispose` once.
///
/// While the end is being delivered downstream, disposing first calls the closure that runs after the end, so that this
/// closure always precedes the freeing of the source and never delays it. Only the delivering thread does so: on
/// another thread the closure could overlap with the delivery.
@usableFromInline
final class DoSubscription: Disposable, @unchecked Sendable {
    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var run: (any Disposable)?
    private var onDispose: (@Sendable () -> Void)?
    private var afterEnd: (@Sendable () throws -> Void)?
    private var delivering: UnsafeRawPointer?

    @usableFromInline
    init(_ onDispose: (@Sendable () -> Void)?) {
        self.onDispose = onDispose
    }

    /// Takes the subscription to the source, before anything can dispose this one.
    @usableFromInline
    func attach(_ run: any Disposable) {
        lock.locked { self.run = run }
    }

    /// Delivers the end, and calls `afterEnd` after it.
    func deliver(_ afterEnd: @escaping @Sendable () throws -> Void, _ end: () -> Void) {
        lock.locked {
            self.afterEnd = afterEnd
            delivering = UnsafeRawPointer(ThreadState.current)
        }
        end()
        finishDelivery()
    }

    /// Calls the closure that runs after the end, unless disposing did. The sequence is over: an error that the closure
    /// throws has no receiver.
    private func finishDelivery() {
        let afterEnd = lock.locked { () -> (@Sendable () throws -> Void)? in
            guard delivering == UnsafeRawPointer(ThreadState.current) else { return nil }
            return self.afterEnd.take()
        }
        try? afterEnd?()
    }

    @usableFromInline
    func dispose() {
        finishDelivery()
        let (run, onDispose) = lock.locked { (self.run.take(), self.onDispose.take()) }
        run?.dispose()
        onDispose?()
    }
}

/// What runs beside a sequence's events.
@usableFromInline
struct Watch<Element> {
    @usableFromInline let onNext: (@Sendable (Element) throws -> Void)?
    @usableFromInline let afterNext: (@Sendable (Element) throws -> Void)?
    @usableFromInline let onError: (@Sendable (any Error) throws -> Void)?
    @usableFromInline let afterError: (@Sendable (any Error) throws -> Void)?
    @usableFromInline let onCompleted: (@Sendable () throws -> Void)?
    @usableFromInline let afterCompleted: (@Sendable () throws -> Void)?

    @inlinable
    init(
        onNext: (@Sendable (Element) throws -> Void)?, afterNext: (@Sendable (Element) throws -> Void)?,
        onError: (@Sendable (any Error) throws -> Void)?, afterError: (@Sendable (any Error) throws -> Void)?,
        onCompleted: (@Sendable () throws -> Void)?, afterCompleted: (@Sendable () throws -> Void)?
    ) {
        self.onNext = onNext
        self.afterNext = afterNext
        self.onError = onError
        self.afterError = afterError
        self.onCompleted = onCompleted
        self.afterCompleted = afterCompleted
    }
}
