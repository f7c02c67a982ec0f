import Dispatch
import RxEngine

// Unchecked: used only on its queue.
/// A one-shot timer on a serial queue.
final class Alarm: @unchecked Sendable {
    private let queue: DispatchQueue
    private var source: (any DispatchSourceTimer)?

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
        source.activate()
        self.source = source
    }

    func cancel() {
        source.take()?.cancel()
    }
}
