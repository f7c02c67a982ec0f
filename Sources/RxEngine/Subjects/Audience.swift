/// Those who are subscribed to a subject, for as long as it tells anything.
///
/// It is an object of its own, so that a subscription can leave it without keeping the subject alive.
// Unchecked: what changes is behind the lock; sinks are called outside it, by the grammar of events.
final class Audience: @unchecked Sendable {
    private enum Phase {
        case open
        case stopped(Termination)
        case disposed
    }

    /// What a sink that would join is told.
    enum Answer {
        case joined(any Disposable)
        case stopped(Termination)
        case disposed
    }

    private let lock = Lock()
    private var sinks = SinkList()
    private var phase = Phase.open

    /// Whom to tell.
    var current: SinkList { lock.locked { sinks } }

    var isPresent: Bool { lock.locked { !sinks.isEmpty } }

    var isDisposed: Bool {
        lock.locked { if case .disposed = phase { true } else { false } }
    }

    /// Takes a sink in, unless it is too late.
    func join(_ sink: AnySink) -> Answer {
        lock.locked {
            switch phase {
            case .open:
                let key = sinks.makeKey()
                sinks.add(sink, as: key)
                return .joined(Membership(audience: self, key: key))
            case .stopped(let end): return .stopped(end)
            case .disposed: return .disposed
            }
        }
    }

    private func leave(_ key: SinkList.Key) {
        let left = lock.locked { sinks.remove(key) }
        withExtendedLifetime(left) {}
    }

    /// Lets go of everyone without a word.
    func leaveAll() {
        let last = lock.locked { sinks.takeAll() }
        withExtendedLifetime(last) {}
    }

    /// Tells everyone the end, once.
    func stop(with end: Termination) {
        lock.locked {
            guard case .open = phase else { return SinkList() }
            phase = .stopped(end)
            return sinks.takeAll()
        }.stop(with: end)
    }

    /// Lets go of everyone without a word, and takes no more in.
    func dispose() {
        let before = lock.locked {
            defer { phase = .disposed }
            return phase
        }
        withExtendedLifetime(before) { leaveAll() }
    }

    /// A subscriber's place. It does not hold the subscriber, which holds it.
    private struct Membership: Disposable {
        let audience: Audience
        let key: SinkList.Key

        func dispose() {
            audience.leave(key)
        }
    }
}
