import Synchronization

/// Those who are subscribed to a subject, for as long as it tells anything.
///
/// It is an object of its own, so that a subscription can leave it without keeping the subject alive.
///
/// Telling an element takes no lock. Whoever tells counts himself in and goes by a pointer to whom to tell; what the
/// pointer led to before is kept while anyone is in who may have read it. He then writes down which he read, so that
/// however long he stays, no more than that one is kept for him. Only the first who is in goes by the pointer: a call
/// inside his, or beside it, takes a reference under the lock.
// Unchecked: what changes is atomic or behind the lock; sinks are called outside it, by the grammar of events.
final class Audience: @unchecked Sendable {
    private final class Remains {
        private let sinks: [AnySink]

        init(_ sinks: [AnySink]) {
            self.sinks = sinks
        }
    }

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
    @exclusivity(unchecked) private var sinks = SinkList()
    @exclusivity(unchecked) private var phase = Phase.open

    /// Whom to tell: a receiver that this holds, or nothing where nobody asked since the sinks last changed.
    private let published = Atomic<UnsafeRawPointer?>(nil)
    /// How many are telling, and whether anything is outdated.
    private let tellers = Atomic<UInt>(0)
    /// What the first of them goes by, once he has read it.
    private let inUse = Atomic<UnsafeRawPointer?>(nil)
    /// What was published before and may still be gone by.
    @exclusivity(unchecked) private var outdated: [AnySink] = []

    private static let hasOutdated: UInt = 1 << 63

    deinit {
        if let last = published.load(ordering: .acquiring) { Unmanaged<AnySink>.fromOpaque(last).release() }
    }

    var isPresent: Bool { lock.locked { !sinks.isEmpty } }

    var isDisposed: Bool {
        lock.locked { if case .disposed = phase { true } else { false } }
    }

    /// Tells everyone an element. The caller knows that `Element` is the type of them all.
    func next<Element>(_ element: Element) {
        let before = tellers.add(1, ordering: .sequentiallyConsistent).oldValue
        if before & ~Audience.hasOutdated == 0 {
            if let current = published.load(ordering: .sequentiallyConsistent) ?? publish(Element.self) {
                inUse.store(current, ordering: .releasing)
                Unmanaged<AnySink>.fromOpaque(current)._withUnsafeGuaranteedRef {
                    unsafeDowncast($0, to: EventReceiver<Element>.self).next(element)
                }
                inUse.store(nil, ordering: .releasing)
            }
        } else {
            lock.locked { sinks.receiver(of: Element.self) }?.next(element)
        }
        if tellers.subtract(1, ordering: .acquiringAndReleasing).newValue == Audience.hasOutdated { letGo() }
    }

    @inline(never)
    private func publish<Element>(_ type: Element.Type) -> UnsafeRawPointer? {
        lock.locked {
            guard let receiver = sinks.receiver(of: type) else { return nil }
            let current = UnsafeRawPointer(Unmanaged<AnySink>.passRetained(receiver).toOpaque())
            published.store(current, ordering: .sequentiallyConsistent)
            return current
        }
    }

    /// Called under the lock when the sinks have changed.
    ///
    /// - Returns: what nobody goes by any more, to be let go of outside the lock.
    @inline(__always)
    private func outdate() -> AnyObject? {
        published.load(ordering: .relaxed) == nil ? nil : reallyOutdate()
    }

    private func reallyOutdate() -> AnyObject? {
        guard let pointer = published.exchange(nil, ordering: .sequentiallyConsistent) else { return nil }
        let old = Unmanaged<AnySink>.fromOpaque(pointer).takeRetainedValue()
        if tellers.load(ordering: .sequentiallyConsistent) == 0 { return old }
        outdated.append(old)
        let before = tellers.bitwiseOr(Audience.hasOutdated, ordering: .sequentiallyConsistent).oldValue
        if before & ~Audience.hasOutdated == 0 { return takeOutdated() }
        guard let gone = inUse.load(ordering: .acquiring) else { return nil }
        let isGoneBy = { UnsafeRawPointer(Unmanaged<AnySink>.passUnretained($0).toOpaque()) == gone }
        defer { outdated = outdated.filter(isGoneBy) }
        return Remains(outdated.filter { !isGoneBy($0) })
    }

    private func takeOutdated() -> AnyObject? {
        defer { outdated = [] }
        tellers.bitwiseAnd(~Audience.hasOutdated, ordering: .acquiringAndReleasing)
        return Remains(outdated)
    }

    @inline(never)
    private func letGo() {
        let free = lock.locked { () -> AnyObject? in
            let isAnyoneIn = tellers.load(ordering: .sequentiallyConsistent) & ~Audience.hasOutdated != 0
            return isAnyoneIn ? nil : takeOutdated()
        }
        withExtendedLifetime(free) {}
    }

    /// Takes a sink in, unless it is too late.
    func join(_ sink: AnySink) -> Answer {
        let (answer, free) = lock.locked { () -> (Answer, AnyObject?) in
            switch phase {
            case .open:
                let key = sinks.makeKey()
                sinks.add(sink, as: key)
                return (.joined(Membership(audience: self, key: key)), outdate())
            case .stopped(let end): return (.stopped(end), nil)
            case .disposed: return (.disposed, nil)
            }
        }
        return withExtendedLifetime(free) { answer }
    }

    private func leave(_ key: SinkList.Key) {
        let left = lock.locked { (sinks.remove(key), outdate()) }
        withExtendedLifetime(left) {}
    }

    /// Lets go of everyone without a word.
    func leaveAll() {
        let last = lock.locked { (sinks.takeAll(), outdate()) }
        withExtendedLifetime(last) {}
    }

    /// Tells everyone the end, once.
    func stop(with end: Termination) {
        let (last, free) = lock.locked { () -> (SinkList, AnyObject?) in
            guard case .open = phase else { return (SinkList(), nil) }
            phase = .stopped(end)
            return (sinks.takeAll(), outdate())
        }
        last.stop(with: end)
        withExtendedLifetime(free) {}
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
