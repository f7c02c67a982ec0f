extension AsyncSequence {
    /// Makes an observable of the elements; each subscription iterates over the sequence in its own detached task.
    ///
    ///     for await           --1--2--|
    ///     asObservable()      --1--2--|
    ///
    /// Completes when the iteration ends or throws `CancellationError`. Fails with any other error that it throws. The
    /// task delivers the events, one at a time, on the threads of Swift concurrency. Disposing cancels the task and its
    /// child tasks, and no event is delivered after it. The task waits until a synchronous observer returns, but not for
    /// elements that an operator or `values` queues; see ``_Concurrency/AsyncSequence/asObservable(demand:priority:)``.
    ///
    /// - Parameter priority: the priority of the task.
    @preconcurrency
    public func asObservable(priority: TaskPriority? = nil) -> Observable<Element> where Self: Sendable {
        observable(priority) { reference in
            for try await element in self {
                guard let sink = reference.sink else { return }
                sink.next(element)
            }
        }
    }

    /// Makes an observable of the elements that asks for the next one only when `demand` has room for it.
    ///
    ///     for await                         --1--2--3--4--|
    ///     asObservable(demand: busy)        --1--2-----3--4--|
    ///
    /// Otherwise it behaves as ``_Concurrency/AsyncSequence/asObservable(priority:)``. A generator is an async sequence
    /// that can wait: `AsyncStream(unfolding:)` calls it once for each element.
    ///
    /// - Parameters:
    ///   - demand: the limit of elements in flight, which
    ///     ``ObservableConvertibleType/values(demand:bufferingPolicy:)`` counts at the other end of the chain.
    ///   - priority: the priority of the task.
    @preconcurrency
    public func asObservable(demand: Demand, priority: TaskPriority? = nil) -> Observable<Element>
    where Self: Sendable {
        observable(priority) { reference in
            var iterator = makeAsyncIterator()
            while await demand.reserve() {
                // The receiver counts the element before this object is released, so the demand never counts too few.
                let inFlight = ElementInFlight(reservedIn: demand)
                guard let element = try await iterator.next(), let sink = reference.sink else { return }
                inFlight.deliver { sink.next(element) }
            }
        }
    }

    /// Makes an observable whose runs call `iterate` in a task, which passes the elements to the sink.
    private func observable(
        _ priority: TaskPriority?, _ iterate: @escaping @Sendable (SinkReference<Element>) async throws -> Void
    ) -> Observable<Element> where Self: Sendable {
        .source(.asyncSequence, onTrampoline: false) { sink in
            let reference = SinkReference(sink)
            let task = Task.detached(priority: priority) {
                if Task.isCancelled { return }
                do {
                    try await iterate(reference)
                } catch is CancellationError {
                    // A cancelled iteration completes the sequence.
                } catch {
                    reference.sink?.error(error)
                    return
                }
                reference.sink?.completed()
            }
            return Disposables.create {
                task.cancel()
                reference.clear()
            }
        }
    }
}

// Unchecked: the lock guards the mutable state; only the task calls the sink.
/// A reference to the sink that disposing clears. A task that ignores its cancellation then retains no observer.
private final class SinkReference<Element>: @unchecked Sendable {
    private let lock = Lock()
    private var held: Sink<Element>?

    init(_ sink: Sink<Element>) {
        held = sink
    }

    var sink: Sink<Element>? {
        guard let sink = lock.locked({ held }), sink.live.isActive else { return nil }
        return sink
    }

    func clear() {
        let last = lock.locked { held.take() }
        withExtendedLifetime(last) {}
    }
}
