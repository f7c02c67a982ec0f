extension AsyncSequence {
    /// Makes an observable of the elements; each subscription iterates over the sequence in its own detached task.
    ///
    ///     for await           --1--2--|
    ///     asObservable()      --1--2--|
    ///
    /// Completes when the iteration ends or throws `CancellationError`. Fails with any other error that it throws. The
    /// task delivers the events, one at a time, on the threads of Swift concurrency. Disposing cancels the task, and no
    /// event is delivered after it.
    ///
    /// - Parameter priority: the priority of the task.
    @preconcurrency
    public func asObservable(priority: TaskPriority? = nil) -> Observable<Element> where Self: Sendable {
        .source(.asyncSequence, onTrampoline: false) { sink in
            let reference = SinkReference(sink)
            let task = Task.detached(priority: priority) { await iterate(into: reference) }
            return Disposables.create {
                task.cancel()
                reference.clear()
            }
        }
    }

    private func iterate(into reference: SinkReference<Element>) async {
        do {
            for try await element in self {
                guard let sink = reference.sink else { return }
                sink.next(element)
            }
        } catch is CancellationError {
            // A cancelled iteration completes the sequence.
        } catch {
            reference.sink?.error(error)
            return
        }
        reference.sink?.completed()
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
