import Dispatch
import RxEngine

// Unchecked: used on its queue alone.
/// A timer of something that runs on a serial queue, which rings once after it was set.
final class Alarm: @unchecked Sendable {
    private let queue: DispatchQueue
    private var source: (any DispatchSourceTimer)?

    init(on queue: DispatchQueue) {
        self.queue = queue
    }

    /// Rings after `delay`, and not when it was to ring before.
    func set(after delay: Duration, _ ring: @escaping @Sendable () -> Void) {
        cancel()
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler { [weak self] in
            self?.cancel()
            ring()
        }
        // Beyond some seventy years, libdispatch would read it as a time of another clock.
        source.schedule(deadline: .now() + min(delay, .seconds(2_000_000_000)).interval)
        source.activate()
        self.source = source
    }

    func cancel() {
        source.take()?.cancel()
    }
}
