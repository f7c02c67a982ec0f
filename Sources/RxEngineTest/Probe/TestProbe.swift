import RxEngine

// Unchecked: the record locks, and the subscription is a disposable, which any thread may dispose.
/// An observer that records events, with expectations that record issues of the running test.
///
/// ```swift
/// Observable.of(1, 2).test().expectValues([1, 2]).expectCompletion()
///
/// let probe = subject.test()
/// subject.onNext(1)
/// probe.expectValues([1]).expectNoEnd()
/// ```
///
/// Expectations look at the events that were received until then; they do not wait. Releasing the probe disposes its
/// subscription.
public final class TestProbe<Element>: @unchecked Sendable {
    private let record = ProbeRecord<Element>()
    private let subscription = SingleAssignmentDisposable()

    init(on source: Observable<Element>) {
        subscription.setDisposable(source.subscribe(record))
    }

    deinit { dispose() }

    /// The events so far.
    public var events: [Event<Element>] { record.events }

    /// The elements so far.
    public var values: [Element] { events.compactMap(\.element) }

    /// The error with which the sequence has failed, otherwise `nil`.
    public var error: (any Error)? { events.lazy.compactMap(\.error).first }

    /// Whether the sequence has completed.
    public var isCompleted: Bool { events.contains { $0.isCompleted } }

    /// Disposes the subscription.
    ///
    /// - Returns: the probe.
    @discardableResult
    public func dispose() -> Self {
        subscription.dispose()
        return self
    }
}

extension ObservableConvertibleType {
    /// Subscribes a probe: an observer with expectations.
    ///
    /// The sequence calls it on the thread that emits. Releasing the probe disposes its subscription.
    public func test() -> TestProbe<Element> {
        TestProbe(on: asObservable())
    }
}
