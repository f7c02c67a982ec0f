extension AsyncSequence {
    /// An observable of this sequence's elements: each subscription iterates over it in a detached task of its own.
    ///
    ///     for await           --1--2--|
    ///     asObservable()      --1--2--|
    ///
    /// Elements are told on the threads that tasks run on, one after the other. Disposing cancels the task, and nothing
    /// is told after it. An error that the iteration throws ends the sequence; `CancellationError` completes it.
    @preconcurrency
    public func asObservable(priority: TaskPriority? = nil) -> Observable<Element> where Self: Sendable {
        .source(.asyncSequence, onTrampoline: false) { sink in
            let outlet = Outlet(sink)
            let task = Task.detached(priority: priority) { await iterate(into: outlet) }
            return Disposables.create {
                task.cancel()
                outlet.close()
            }
        }
    }

    private func iterate(into outlet: Outlet<Element>) async {
        do {
            for try await element in self {
                guard let sink = outlet.sink else { return }
                sink.next(element)
            }
        } catch is CancellationError {
            // What is cancelled has ended.
        } catch {
            outlet.sink?.error(error)
            return
        }
        outlet.sink?.completed()
    }
}

// Unchecked: what changes is behind the lock; the task alone calls the sink.
/// Where an iteration's elements go, until nobody wants them: an iteration that ignores its cancellation then keeps
/// itself alive, and no observer.
private final class Outlet<Element>: @unchecked Sendable {
    private let lock = Lock()
    private var open: Sink<Element>?

    init(_ sink: Sink<Element>) {
        open = sink
    }

    var sink: Sink<Element>? {
        guard let sink = lock.locked({ open }), sink.live.isActive else { return nil }
        return sink
    }

    func close() {
        let last = lock.locked { open.take() }
        withExtendedLifetime(last) {}
    }
}
