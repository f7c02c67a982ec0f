/// An object that is notified of the subscriptions and events of sequences with any type of elements.
///
/// ```swift
/// final class Metrics: SequenceListener {
///     private let count = Atomic(0)
///
///     func onNext(_ element: some Any) { count.add(1, ordering: .relaxed) }
/// }
///
/// let metrics = Metrics()
/// orders.tap(metrics).subscribe()
/// invoices.tap(metrics).subscribe()
/// ```
///
/// Each method does nothing by default. One subscription calls them one at a time, apart from ``onDispose()``;
/// several subscriptions may call them at the same time.
public protocol SequenceListener: Sendable {
    /// Called before the source is subscribed to, on the thread that subscribes.
    func onSubscribe()
    /// Called before an element is delivered, on the thread that delivers it.
    func onNext(_ element: some Any)
    /// Called before an error is delivered, on the thread that delivers it.
    func onError(_ error: any Error)
    /// Called before completion is delivered, on the thread that delivers it.
    func onCompleted()
    /// Called exactly once for each subscription, after the source was disposed because the sequence ended or was
    /// disposed, on the thread that does so.
    func onDispose()
}

extension SequenceListener {
    /// Does nothing.
    public func onSubscribe() {}
    /// Does nothing.
    public func onNext(_ element: some Any) {}
    /// Does nothing.
    public func onError(_ error: any Error) {}
    /// Does nothing.
    public func onCompleted() {}
    /// Does nothing.
    public func onDispose() {}
}

extension ObservableType {
    /// Notifies a listener of each subscription to this sequence, and of its events, without changing them.
    ///
    ///     source            --1--2--|
    ///     tap(listener)     --1--2--|     calls onSubscribe, onNext(1), onNext(2), onCompleted, onDispose
    ///
    /// It is `do` with an object in place of closures, which several sequences may share. For a listener of its own in
    /// each subscription, make the sequence in ``ObservableType/deferred(_:)``.
    /// Completes and fails with the source. Events are delivered on the source's thread.
    ///
    /// - Parameter listener: the object, which the sequence retains.
    @inlinable
    public func tap(_ listener: some SequenceListener) -> Observable<Element> {
        self.do(
            onNext: { listener.onNext($0) }, onError: { listener.onError($0) },
            onCompleted: { listener.onCompleted() }, onSubscribe: { listener.onSubscribe() },
            onDispose: { listener.onDispose() })
    }
}
