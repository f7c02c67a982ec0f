import Synchronization

/// Those who are subscribed to a subject, for as long as it tells anything.
///
/// It is an object of its own, so that a subscription can leave it without keeping the subject alive.
///
/// Telling an element takes no lock. Whoever tells counts himself in and goes by a pointer to whom to tell: to the one
/// sink, or to what tells several. What such a pointer may have led to is kept, once it has left the list, while anyone
/// is in who may have read it. He then writes down which he read, so that however long he stays, no more than that one is
/// kept for him. Only the first who is in goes by the pointer: a call inside his, or beside it, takes a reference under
/// the lock, and counts itself out again.
// Unchecked: what changes is atomic or behind the lock; sinks are called outside it, by the grammar of events.
@usableFromInline
class Audience: @unchecked Sendable {
    /// Whether anything is told.
    enum Phase {
        case open
        case stopped(Termination)
        case disposed
    }

    final let lock = Lock()
    /// Those who are told. Behind the lock.
    @exclusivity(unchecked) final private(set) var sinks = SinkList()
    /// Behind the lock.
    @exclusivity(unchecked) final private(set) var phase = Phase.open

    /// Whom to tell: ``nobody``, the only sink, ``fanOut``, or ``someone`` where that is to be found out.
    private let published = Atomic<UInt>(Audience.nobody)
    /// What tells several sinks, where anyone asked since they last changed. Behind the lock.
    @exclusivity(unchecked) private var fanOut: AnySink?
    /// How many go by the pointer or are about to, and whether anything is outdated.
    private let tellers = Atomic<UInt>(0)
    /// What the first of them goes by, once he has read it.
    private let inUse = Atomic<UInt>(Audience.nobody)
    /// What was published before and may still be gone by. Behind the lock.
    @exclusivity(unchecked) private var outdated: [AnySink] = []

    private static let hasOutdated: UInt = 1 << 63
    private static let nobody: UInt = 0
    private static let someone: UInt = 1

    /// Whether there is anyone.
    var isPresent: Bool { published.load(ordering: .acquiring) != Audience.nobody }

    final var isDisposed: Bool {
        lock.locked { if case .disposed = phase { true } else { false } }
    }

    /// Tells everyone an element. The caller knows that `Element` is the type of them all.
    final func next<Element>(_ element: Element) {
        guard tellers.add(1, ordering: .sequentiallyConsistent).oldValue & ~Audience.hasOutdated == 0 else {
            return nextAside(element)
        }
        var current = published.load(ordering: .sequentiallyConsistent)
        if current == Audience.someone { current = lookUp(Element.self) }
        if let pointer = UnsafeRawPointer(bitPattern: current) {
            inUse.store(current, ordering: .releasing)
            Unmanaged<AnySink>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: EventReceiver<Element>.self).next(element)
            }
            inUse.store(Audience.nobody, ordering: .releasing)
        }
        countOut()
    }

    /// Tells everyone an element while someone else tells.
    @inline(never)
    private func nextAside<Element>(_ element: Element) {
        let receiver = lock.locked { retainedReceiver(of: Element.self) }
        countOut()
        if let receiver { tell(element, to: receiver) }
    }

    @inline(__always)
    private func countOut() {
        if tellers.subtract(1, ordering: .acquiringAndReleasing).newValue == Audience.hasOutdated { letGo() }
    }

    @inline(never)
    private func lookUp<Element>(_ type: Element.Type) -> UInt {
        lock.locked {
            let current = published.load(ordering: .relaxed)
            return current == Audience.someone ? publish(type) : current
        }
    }

    /// Whom to tell an element: called under the lock, for ``tell(_:to:)`` outside it.
    @inline(__always)
    final func retainedReceiver<Element>(of type: Element.Type) -> Unmanaged<AnySink>? {
        var current = published.load(ordering: .relaxed)
        if current == Audience.someone { current = publish(type) }
        return UnsafeRawPointer(bitPattern: current).map { Unmanaged.fromOpaque($0).retain() }
    }

    /// Tells an element to what ``retainedReceiver(of:)`` returned.
    @inline(__always)
    final func tell<Element>(_ element: Element, to receiver: Unmanaged<AnySink>) {
        receiver._withUnsafeGuaranteedRef { unsafeDowncast($0, to: EventReceiver<Element>.self).next(element) }
        receiver.release()
    }

    @inline(never)
    private func publish<Element>(_ type: Element.Type) -> UInt {
        if !sinks.isSingle { fanOut = sinks.fanOut(to: type) }
        return publish(fanOut ?? sinks.first)
    }

    @inline(__always)
    @discardableResult
    private func publish(_ receiver: AnySink?) -> UInt {
        let current = receiver.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? Audience.nobody
        published.store(current, ordering: .releasing)
        return current
    }

    /// A key for a sink that joins now or later. Called under the lock.
    @inline(__always)
    final func makeKey() -> SinkList.Key {
        sinks.makeKey()
    }

    /// Adds a sink. Called under the lock.
    ///
    /// - Returns: what nobody goes by any more, to be let go of outside the lock.
    @inline(__always)
    final func add(_ sink: AnySink, as key: SinkList.Key) -> AnyObject? {
        let isFirst = sinks.isEmpty
        sinks.add(sink, as: key)
        if isFirst {
            publish(sink)
            return nil
        }
        return outdate(nil)
    }

    /// Removes every sink. Called under the lock.
    ///
    /// - Returns: those who were there, and what nobody goes by any more, to be let go of outside the lock.
    private func removeAll() -> (SinkList, AnyObject?) {
        let last = sinks.takeAll()
        if last.isEmpty { return (last, nil) }
        published.store(Audience.nobody, ordering: .sequentiallyConsistent)
        if fanOut == nil, tellers.load(ordering: .sequentiallyConsistent) == 0 { return (last, nil) }
        return (last, outdate(last.all))
    }

    /// Called under the lock when the sinks have changed.
    ///
    /// - Parameter removed: what was in the list.
    /// - Returns: what nobody goes by any more, to be let go of outside the lock.
    @inline(__always)
    private func outdate(_ removed: consuming AnySink?) -> AnyObject? {
        // Those who count themselves in after this do not read what was published before.
        published.store(sinks.isEmpty ? Audience.nobody : Audience.someone, ordering: .sequentiallyConsistent)
        if fanOut == nil, tellers.load(ordering: .sequentiallyConsistent) == 0 { return removed }
        return outdate(removed.map { [$0] } ?? [])
    }

    @inline(never)
    private func outdate(_ removed: [AnySink]) -> AnyObject? {
        outdated += removed
        if let last = fanOut.take() { outdated.append(last) }
        if outdated.isEmpty { return nil }
        let before = tellers.bitwiseOr(Audience.hasOutdated, ordering: .sequentiallyConsistent).oldValue
        if before & ~Audience.hasOutdated == 0 { return takeOutdated() }
        let gone = inUse.load(ordering: .acquiring)
        if gone == Audience.nobody { return nil }
        let isGoneBy = { UInt(bitPattern: Unmanaged<AnySink>.passUnretained($0).toOpaque()) == gone }
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

    /// Takes a sink in or, where it is too late, tells it the end.
    ///
    /// - Parameters:
    ///   - sink: what is told from now on.
    ///   - owner: what refuses it once disposed.
    /// - Returns: by what it can ``leave(_:)``, where it was taken in.
    final func admit<Element>(_ sink: Sink<Element>, to owner: any AnyObject & Sendable) -> SinkList.Key? {
        var free: AnyObject?
        let key = lock.locked { () -> SinkList.Key? in
            guard isOpen else { return nil }
            let key = makeKey()
            free = add(sink, as: key)
            return key
        }
        withExtendedLifetime(free) {}
        if key == nil { refuse(sink, of: owner) }
        return key
    }

    /// Called under the lock.
    @inline(__always)
    final var isOpen: Bool {
        if case .open = phase { true } else { false }
    }

    /// Tells a sink that it is too late.
    @inline(never)
    final func refuse(_ sink: AnySink, of owner: any AnyObject & Sendable) {
        switch lock.locked({ phase }) {
        case .open: break
        case .stopped(let end): sink.stop(with: end)
        case .disposed: sink.error(RxError.disposed(object: owner))
        }
    }

    /// Lets a sink go.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    final func leave(_ key: SinkList.Key) -> Bool {
        var free: AnyObject?
        let wasIn = lock.locked {
            guard let sink = sinks.remove(key) else { return false }
            free = outdate(consume sink)
            return true
        }
        return withExtendedLifetime(free) { wasIn }
    }

    /// Tells everyone the end, once. The caller knows that `Element` is the type of them all.
    final func stop<Element>(with end: Termination, _ type: Element.Type) {
        close(with: end).stop(with: end, type)
    }

    /// From now on, whoever comes is told the end.
    ///
    /// - Returns: those who are to be told it now.
    final func close(with end: Termination) -> SinkList {
        var free: (AnyObject?, AnyObject?)
        let last = lock.locked { () -> SinkList in
            guard isOpen else { return SinkList() }
            phase = .stopped(end)
            let (last, outdated) = removeAll()
            free = (outdated, closing(with: end))
            return last
        }
        return withExtendedLifetime(free) { last }
    }

    /// Called under the lock when the end has come.
    ///
    /// - Returns: what is to be let go of outside it.
    func closing(with end: Termination) -> AnyObject? { nil }

    /// Lets go of everyone without a word, and takes no more in.
    final func dispose() {
        let last = lock.locked { () -> (Phase, SinkList, AnyObject?, AnyObject?) in
            let before = phase
            phase = .disposed
            let (last, outdated) = removeAll()
            return (before, last, outdated, disposing())
        }
        withExtendedLifetime(last) {}
    }

    /// Lets go of everyone without a word, where the owner goes and nobody else can come.
    @inline(__always)
    final func abandon() {
        if isPresent { dispose() }
    }

    /// Called under the lock when it is disposed.
    ///
    /// - Returns: what is to be let go of outside it.
    func disposing() -> AnyObject? { nil }

    /// What leaves for the one who was given `key`.
    final func membership(_ key: SinkList.Key?) -> any Disposable {
        if let key { Membership(audience: self, key: key) } else { Disposables.create() }
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

/// What is let go of when it goes.
final class Remains {
    private let objects: [AnyObject]

    init(_ objects: [AnyObject]) {
        self.objects = objects
    }
}
