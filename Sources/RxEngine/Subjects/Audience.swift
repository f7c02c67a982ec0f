import Synchronization

/// Those who are subscribed to a subject, for as long as it tells anything.
///
/// It is an object of its own, so that a subscription can leave it without keeping the subject alive.
///
/// Telling an element takes no lock. Whoever tells counts himself in and goes by a pointer to whom to tell; what the
/// pointer led to before is kept while anyone is in who may have read it. He then writes down which he read, so that
/// however long he stays, no more than that one is kept for him. Only the first who is in goes by the pointer: a call
/// inside his, or beside it, takes a reference under the lock, and counts itself out again.
// Unchecked: what changes is atomic or behind the lock; sinks are called outside it, by the grammar of events.
class Audience: @unchecked Sendable {
    /// Whether anything is told.
    enum Phase {
        case open
        case stopped(Termination)
        case disposed
    }

    final let lock = Lock()
    /// Those who are told. Behind the lock; whoever changes them has the pointer ``outdate()``d.
    @exclusivity(unchecked) final var sinks = SinkList()
    /// Behind the lock.
    @exclusivity(unchecked) final private(set) var phase = Phase.open

    /// Whom to tell: a receiver that this holds, or nothing where nobody asked since the sinks last changed.
    private let published = Atomic<UnsafeRawPointer?>(nil)
    /// How many go by the pointer or are about to, and whether anything is outdated.
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

    final var isDisposed: Bool {
        lock.locked { if case .disposed = phase { true } else { false } }
    }

    /// Tells everyone an element. The caller knows that `Element` is the type of them all.
    final func next<Element>(_ element: Element) {
        guard tellers.add(1, ordering: .sequentiallyConsistent).oldValue & ~Audience.hasOutdated == 0 else {
            return nextAside(element)
        }
        if let current = published.load(ordering: .sequentiallyConsistent) ?? publish(Element.self) {
            inUse.store(current, ordering: .releasing)
            Unmanaged<AnySink>.fromOpaque(current)._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: EventReceiver<Element>.self).next(element)
            }
            inUse.store(nil, ordering: .releasing)
        }
        countOut()
    }

    /// Tells everyone an element while someone else tells.
    @inline(never)
    private func nextAside<Element>(_ element: Element) {
        let receiver = lock.locked { self.receiver(of: Element.self) }
        countOut()
        if let receiver { unsafeDowncast(receiver, to: EventReceiver<Element>.self).next(element) }
    }

    @inline(__always)
    private func countOut() {
        if tellers.subtract(1, ordering: .acquiringAndReleasing).newValue == Audience.hasOutdated { letGo() }
    }

    @inline(never)
    private func publish<Element>(_ type: Element.Type) -> UnsafeRawPointer? {
        lock.locked { receiver(of: type).map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) } }
    }

    /// Whom to tell an element. Called under the lock; what is returned is good outside it too.
    @inline(__always)
    final func receiver<Element>(of type: Element.Type) -> AnySink? {
        if let current = published.load(ordering: .relaxed) {
            return Unmanaged<AnySink>.fromOpaque(current).takeUnretainedValue()
        }
        return sinks.isEmpty ? nil : makeReceiver(of: type)
    }

    @inline(never)
    private func makeReceiver<Element>(of type: Element.Type) -> AnySink? {
        guard let receiver = sinks.receiver(of: type) else { return nil }
        let current = UnsafeRawPointer(Unmanaged<AnySink>.passRetained(receiver).toOpaque())
        published.store(current, ordering: .sequentiallyConsistent)
        return receiver
    }

    /// Called under the lock when the sinks have changed.
    ///
    /// - Returns: what nobody goes by any more, to be let go of outside the lock.
    @inline(__always)
    final func outdate() -> AnyObject? {
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

    private final class Remains {
        private let sinks: [AnySink]

        init(_ sinks: [AnySink]) {
            self.sinks = sinks
        }
    }

    /// Takes a sink in or, where it is too late, tells it the end.
    ///
    /// - Parameters:
    ///   - sink: what is told from now on.
    ///   - owner: what refuses it once disposed.
    /// - Returns: by what it can ``leave(_:)``, where it was taken in.
    final func admit<Element>(_ sink: Sink<Element>, to owner: any AnyObject & Sendable) -> SinkList.Key? {
        let (found, key, free) = lock.locked { () -> (Phase, SinkList.Key, AnyObject?) in
            guard case .open = phase else { return (phase, 0, nil) }
            let key = sinks.makeKey()
            sinks.add(sink, as: key)
            return (.open, key, outdate())
        }
        withExtendedLifetime(free) {}
        return tell(found, to: sink, of: owner) ? key : nil
    }

    /// Tells a sink that it is too late, if it is.
    ///
    /// - Returns: whether it is not.
    final func tell(_ phase: Phase, to sink: AnySink, of owner: any AnyObject & Sendable) -> Bool {
        switch phase {
        case .open: return true
        case .stopped(let end): sink.stop(with: end)
        case .disposed: sink.error(RxError.disposed(object: owner))
        }
        return false
    }

    /// Lets a sink go.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    final func leave(_ key: SinkList.Key) -> Bool {
        let (sink, free) = lock.locked { () -> (AnySink?, AnyObject?) in
            let sink = sinks.remove(key)
            return (sink, sink == nil ? nil : outdate())
        }
        return withExtendedLifetime(free) { sink != nil }
    }

    /// Tells everyone the end, once. The caller knows that `Element` is the type of them all.
    final func stop<Element>(with end: Termination, _ type: Element.Type) {
        close(with: end).stop(with: end, type)
    }

    /// From now on, whoever comes is told the end.
    ///
    /// - Returns: those who are to be told it now.
    final func close(with end: Termination) -> SinkList {
        let (last, free, remains) = lock.locked { () -> (SinkList, AnyObject?, AnyObject?) in
            guard case .open = phase else { return (SinkList(), nil, nil) }
            phase = .stopped(end)
            return (sinks.takeAll(), outdate(), closing(with: end))
        }
        return withExtendedLifetime((free, remains)) { last }
    }

    /// Called under the lock when the end has come.
    ///
    /// - Returns: what is to be let go of outside it.
    func closing(with end: Termination) -> AnyObject? { nil }

    /// Lets go of everyone without a word, and takes no more in.
    final func dispose() {
        let last = lock.locked { () -> (Phase, SinkList, AnyObject?, AnyObject?) in
            defer { phase = .disposed }
            return (phase, sinks.takeAll(), outdate(), disposing())
        }
        withExtendedLifetime(last) {}
    }

    /// Called under the lock when it is disposed.
    ///
    /// - Returns: what is to be let go of outside it.
    func disposing() -> AnyObject? { nil }

    /// What leaves for the one who was given `key`.
    final func membership(_ key: SinkList.Key?) -> any Disposable {
        key.map { Membership(audience: self, key: $0) } ?? Disposables.create()
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
