import RxEngine

/// A sequence that records whether it was subscribed to, and disposed before its end.
///
/// Pass it to code that must subscribe to it, or must not:
///
/// ```swift
/// let backup = SubscriptionProbe(of: .just("backup"))
/// Observable.just("primary").ifEmpty(switchTo: backup.asObservable()).test().expectValues(["primary"])
/// backup.expectNotSubscribed()
/// ```
public final class SubscriptionProbe<Element>: ObservableType {
    private let source: Observable<Element>
    private let counts = Locked(State())

    private struct State {
        var subscribed = 0
        var ended = 0
        var freed = 0
    }

    /// Creates a probe of a source.
    ///
    /// - Parameter source: the events of the sequence. Default: none, and no end.
    public init(of source: Observable<Element> = .never()) {
        self.source = source
    }

    /// Subscribes `observer` to the source, and counts the subscription.
    ///
    /// Dropping the returned disposable cancels nothing. The observer is called on the source's thread.
    public func subscribe(_ observer: some ObserverType<Element>) -> any Disposable {
        // The counts alone, so that a subscription retains no probe.
        source.do(
            onError: { [counts] _ in counts.withLock { $0.ended += 1 } },
            onCompleted: { [counts] in counts.withLock { $0.ended += 1 } },
            onSubscribe: { [counts] in counts.withLock { $0.subscribed += 1 } },
            onDispose: { [counts] in counts.withLock { $0.freed += 1 } }
        ).subscribe(observer)
    }

    /// The number of subscriptions so far.
    public var subscriptionCount: Int { counts.withLock { $0.subscribed } }

    /// The number of subscriptions that were disposed before the source has ended.
    public var disposalCount: Int { counts.withLock { max(0, $0.freed - $0.ended) } }

    /// Records an issue if nobody has subscribed.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectSubscribed(file: String = #filePath, line: Int = #line) -> Self {
        expect(subscriptionCount > 0, "expected a subscription, but there was none", file, line)
    }

    /// Records an issue if anybody has subscribed.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectNotSubscribed(file: String = #filePath, line: Int = #line) -> Self {
        expect(subscriptionCount == 0, "expected no subscription, but there were \(subscriptionCount)", file, line)
    }

    /// Records an issue unless a subscription was disposed before the source has ended.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectDisposed(file: String = #filePath, line: Int = #line) -> Self {
        expect(disposalCount > 0, "expected a subscription to be disposed, but none was", file, line)
    }

    /// Records an issue if a subscription was disposed before the source has ended.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func expectNotDisposed(file: String = #filePath, line: Int = #line) -> Self {
        expect(disposalCount == 0, "expected no subscription to be disposed, but \(disposalCount) were", file, line)
    }

    private func expect(_ holds: Bool, _ problem: @autoclosure () -> String, _ file: String, _ line: Int) -> Self {
        if !holds { IssueLocation(file, line).record(problem()) }
        return self
    }
}
