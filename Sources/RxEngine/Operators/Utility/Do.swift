import Synchronization

extension ObservableType {
    /// Calls closures for the events of this sequence, without changing them.
    ///
    ///     source                          --1--2--|
    ///     do(onNext: { print($0) })       --1--2--|     prints 1 and 2
    ///
    /// Completes when the source completes, and fails with the source's error. An error that `onNext`, `onError` or
    /// `onCompleted` throws replaces the event, and one that `afterNext` throws ends the sequence after the element; an
    /// error of `afterError` or `afterCompleted` is ignored. The closures run on the thread of the event, and do not
    /// change when the source is subscribed to and disposed.
    ///
    /// The order for a source that ends inside `subscribe`: `onSubscribe`, the events, the source is disposed,
    /// `onSubscribed`, `onDispose`. For a source that ends later: completion or the error, `afterCompleted` or
    /// `afterError`, the source is disposed, `onDispose`. Nested operators call `onDispose` from the innermost, which
    /// is closest to the source, outwards.
    ///
    /// - Parameters:
    ///   - onNext: called before each element is delivered downstream.
    ///   - afterNext: called after each element was delivered downstream.
    ///   - onError: called before the error is delivered downstream.
    ///   - afterError: called after the error was delivered downstream, before the source is disposed.
    ///   - onCompleted: called before the completion is delivered downstream.
    ///   - afterCompleted: called after the completion was delivered downstream, before the source is disposed.
    ///   - onSubscribe: called before the source is subscribed to.
    ///   - onSubscribed: called after the source was subscribed to.
    ///   - onDispose: called exactly once, after the source was disposed because the sequence ended or was disposed.
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
        let sideEffects = SideEffects(
            onNext: onNext, afterNext: afterNext, onError: onError, afterError: afterError, onCompleted: onCompleted,
            afterCompleted: afterCompleted)
        let source = asObservable()
        if onSubscribe == nil, onSubscribed == nil, onDispose == nil, afterError == nil, afterCompleted == nil {
            return source.lift(.do, with: sideEffects) { DoSink(to: $1, $0, nil) }
        }
        return .source(.do) { sink in
            onSubscribe?()
            let subscription = DoSubscription(onDispose)
            let run = source.run(DoSink(to: sink, sideEffects, subscription))
            // The caller can dispose the subscription only after it was returned. A source that has ended by now is
            // disposed before `onSubscribed`; one whose terminal event is still to be delivered is disposed after it,
            // as without the closures.
            if sink.live.isDisposed { run.dispose() } else { subscription.attach(run) }
            onSubscribed?()
            return subscription
        }
    }
}

@usableFromInline
final class DoSink<Element>: OperatorSink<Element, Element> {
    private let sideEffects: SideEffects<Element>
    private let subscription: DoSubscription?

    @usableFromInline
    init(to downstream: Sink<Element>, _ sideEffects: SideEffects<Element>, _ subscription: DoSubscription?) {
        self.sideEffects = sideEffects
        self.subscription = subscription
        super.init(.do, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        do {
            try sideEffects.onNext?(element)
            guard live.isActive else { return }
            downstream.next(element)
            try sideEffects.afterNext?(element)
        } catch {
            if live.isActive { downstream.error(Hooks.thrown(error, in: .do)) }
        }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        guard live.isActive else { return }
        do {
            try sideEffects.onError?(error)
            guard live.isActive else { return }
        } catch {
            if live.isActive { downstream.error(Hooks.thrown(error, in: .do)) }
            return
        }
        guard let afterError = sideEffects.afterError else { return downstream.error(error) }
        subscription?.deliver({ try afterError(error) }) { downstream.error(error) }
    }

    @usableFromInline
    override func completed() {
        guard live.isActive else { return }
        do {
            try sideEffects.onCompleted?()
            guard live.isActive else { return }
        } catch {
            if live.isActive { downstream.error(Hooks.thrown(error, in: .do)) }
            return
        }
        guard let afterCompleted = sideEffects.afterCompleted else { return downstream.completed() }
        subscription?.deliver(afterCompleted) { downstream.completed() }
    }
}

// Unchecked: the lock guards the mutable state.
/// The subscription of a `do`: disposes the source, then calls `onDispose` once.
///
/// While the terminal event is being delivered downstream, disposing first calls the closure that runs after that
/// event, so that this closure always precedes the disposal of the source and never delays it. Only the delivering
/// thread does so: on another thread the closure could overlap with the delivery.
@usableFromInline
final class DoSubscription: Disposable, @unchecked Sendable {
    private let ticket = ResourceTicket(.disposable)
    private let lock = Lock()
    private var run: (any Disposable)?
    private var onDispose: (@Sendable () -> Void)?
    private var afterEnd: (@Sendable () throws -> Void)?
    private var deliveringThread: UnsafeRawPointer?

    @usableFromInline
    init(_ onDispose: (@Sendable () -> Void)?) {
        self.onDispose = onDispose
    }

    /// Stores the subscription to the source, before anything can dispose this one.
    @usableFromInline
    func attach(_ run: any Disposable) {
        lock.locked { self.run = run }
    }

    /// Delivers the terminal event with `end`, and calls `afterEnd` after it.
    func deliver(_ afterEnd: @escaping @Sendable () throws -> Void, _ end: () -> Void) {
        lock.locked {
            self.afterEnd = afterEnd
            deliveringThread = UnsafeRawPointer(ThreadState.current)
        }
        end()
        finishDelivery()
    }

    /// Calls the closure that runs after the terminal event, unless `dispose()` has. The sequence is over, so an error
    /// that the closure throws has no receiver.
    private func finishDelivery() {
        let afterEnd = lock.locked { () -> (@Sendable () throws -> Void)? in
            guard deliveringThread == UnsafeRawPointer(ThreadState.current) else { return nil }
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

/// The closures of a `do` that events call.
@usableFromInline
struct SideEffects<Element> {
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
