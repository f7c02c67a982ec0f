import Dispatch
import RxEngine

/// A one-shot timer on a serial queue.
///
/// It is set on the queue. It is cancelled on any thread, since an owner does so when it is released, also while the queue
/// is about to call.
final class OneShotTimer: Sendable {
    private let queue: DispatchQueue
    private let source = Locked<(any DispatchSourceTimer)?>(nil)

    init(on queue: DispatchQueue) {
        self.queue = queue
    }

    /// Calls `body` after `delay`, and cancels the call that was set before.
    func set(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        cancel()
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [weak self] in
            self?.cancel()
            body()
        }
        // libdispatch would interpret a deadline more than some seventy years ahead as a time of another clock.
        source.schedule(deadline: .now() + min(delay, .seconds(2_000_000_000)).interval)
        self.source.withLock { $0 = source }
        source.activate()
    }

    func cancel() {
        source.withLock { $0.take() }?.cancel()
    }
}
