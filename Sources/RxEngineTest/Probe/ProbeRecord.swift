import RxEngine

// Unchecked: the lock guards the events.
/// The events that a probe has received, from any thread.
final class ProbeRecord<Element>: ObserverType, @unchecked Sendable {
    private let lock = Lock()
    private var received: [Event<Element>] = []

    var events: [Event<Element>] { lock.locked { received } }

    func on(_ event: Event<Element>) {
        lock.locked { received.append(event) }
    }
}
