import RxEngine

// Unchecked: the lock guards the events and the waits.
/// The events that a probe has received, from any thread.
final class ProbeRecord<Element>: ObserverType, @unchecked Sendable {
    private let lock = Lock()
    private var received: [Event<Element>] = []
    private var expected = 0
    /// The signals of those that wait for events.
    private var waits: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastWait = 0

    var events: [Event<Element>] { lock.locked { received } }

    func on(_ event: Event<Element>) {
        let waits = lock.locked {
            received.append(event)
            return Array(self.waits.values)
        }
        for wait in waits { wait.yield() }
    }

    /// Takes the next elements, up to `count`, that no earlier call has taken.
    func takeNext(_ count: Int) -> [Element] {
        lock.locked {
            let next = received.compactMap(\.element).dropFirst(expected).prefix(count)
            expected += next.count
            return Array(next)
        }
    }

    /// Waits until there are `count` elements, the sequence has ended, or the time is over.
    func waitForElements(_ count: Int, within deadline: Duration) async {
        let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let key = lock.locked {
            lastWait += 1
            waits[lastWait] = signal
            return lastWait
        }
        // What has arrived already.
        signal.yield()
        let timer = Task {
            try? await Task.sleep(for: deadline)
            signal.finish()
        }
        for await _ in signals where isOver(count) { break }
        timer.cancel()
        lock.locked { waits[key] = nil }
    }

    private func isOver(_ count: Int) -> Bool {
        let events = events
        return events.last?.isStopEvent == true || events.count >= count
    }
}
