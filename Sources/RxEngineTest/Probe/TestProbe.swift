import RxEngine

// Unchecked: the record has a lock, and the subscription is a disposable, which any thread may dispose.
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
/// Expectations look at the events that were received until then. Only ``awaitCount(_:within:file:line:)`` waits, for
/// elements of other threads and tasks. Releasing the probe disposes its subscription.
///
/// ### Step by step
///
/// ``expectNext(_:file:line:)`` goes on behind the elements that it has expected before, and ``then(_:)`` makes the
/// next ones arrive:
///
/// ```swift
/// let scheduler = TestScheduler(initialClock: 0)
/// Observable<Int>.interval(.seconds(10), scheduler: scheduler).test()
///     .then { scheduler.advanceTo(10) }.expectNext(0)
///     .then { scheduler.advanceTo(30) }.expectNext(1, 2).expectNoMoreValues().expectNoEnd()
/// ```
public final class TestProbe<Element>: @unchecked Sendable {
    let record = ProbeRecord<Element>()
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
