import Synchronization

/// Those who are subscribed to a subject, for as long as it tells anything.
///
/// It is an object of its own, so that a subscription can leave it without keeping the subject alive.
///
/// Telling an element takes no lock. Whoever tells goes by a pointer to whom to tell: to the one sink, or to what tells
/// several. What such a pointer may have led to is kept, once it has left the list, while anyone goes by it. The thread
/// that tells most writes down what it goes by in a word of its own (``Regular``), and that is all. The others count
/// themselves in, with an exchange, and then write it down; the first who is in goes by the pointer: a call inside his,
/// or beside it, takes a reference under the lock, and counts itself out again.
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
    /// The receiver that delivers to several sinks, made by the first delivery after a sink was added, and without the
    /// sinks that were removed since. Behind the lock.
    @exclusivity(unchecked) private var fanOut: (any FanningOut)?
    /// Whether anyone may have a reference to `fanOut`, which then never changes any more. Behind the lock.
    @exclusivity(unchecked) private var isFanOutShared = false
    /// How many go by the pointer or are about to, and whether anything is outdated.
    private let tellers = Atomic<UInt>(0)
    /// What the first of them goes by, once he has read it.
    private let inUse = Atomic<UInt>(Audience.nobody)
    /// What the thread goes by that tells most.
    private let regular = Regular()
    /// How often the others have told. For the first of them who is in, or behind the lock in ``hold(for:)``.
    @exclusivity(unchecked) private var told: UInt32 = 0
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
        let caller = Regular.caller
        guard regular.is(caller) else { return nextAmongOthers(element, caller) }
        if regular.isIn { return tell(element, to: lock.locked { retainedReceiver(of: Element.self) }) }
        var current = published.load(ordering: .acquiring)
        if current == Audience.someone { current = lookUp(Element.self) }
        guard let pointer = UnsafeRawPointer(bitPattern: current) else { return }
        // Whoever has let go of it since has dismissed this thread first.
        guard regular.comeIn(current, caller) else {
            leaveAsRegular(caller)
            return nextAmongOthers(element, caller)
        }
        Unmanaged<AnySink>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
            unsafeDowncast($0, to: EventReceiver<Element>.self).next(element)
        }
        leaveAsRegular(caller)
    }

    /// What was put aside for the regular was so by itself, or by someone who dismissed it.
    @inline(__always)
    private func leaveAsRegular(_ caller: UInt) {
        if !regular.leave(caller) || tellers.load(ordering: .relaxed) & Audience.hasOutdated != 0 { letGo() }
    }

    /// Tells everyone an element, on a thread that does not do so all the time.
    @inline(never)
    private func nextAmongOthers<Element>(_ element: Element, _ caller: UInt) {
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
        grow(used: caller)
        countOut()
    }

    /// Whoever is used to telling becomes the regular.
    @inline(__always)
    private func grow(used caller: UInt) {
        guard told < Regular.habit else { return }
        told += 1
        if told == Regular.habit { regular.become(caller) }
    }

    /// Tells everyone an element while someone else tells.
    @inline(never)
    private func nextAside<Element>(_ element: Element) {
        let receiver = lock.locked { retainedReceiver(of: Element.self) }
        countOut()
        tell(element, to: receiver)
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
    private func retainedReceiver<Element>(of type: Element.Type) -> Unmanaged<AnySink>? {
        receiver(of: type).map {
            isFanOutShared = true
            return Unmanaged.fromOpaque($0).retain()
        }
    }

    @inline(__always)
    private func receiver<Element>(of type: Element.Type) -> UnsafeRawPointer? {
        let current = published.load(ordering: .relaxed)
        return UnsafeRawPointer(bitPattern: current == Audience.someone ? publish(type) : current)
    }

    @inline(__always)
    private func tell<Element>(_ element: Element, to receiver: Unmanaged<AnySink>?) {
        guard let receiver else { return }
        receiver._withUnsafeGuaranteedRef { unsafeDowncast($0, to: EventReceiver<Element>.self).next(element) }
        receiver.release()
    }

    /// Whom to tell an element that was decided on under the lock.
    struct Hold {
        fileprivate let receiver: Unmanaged<AnySink>
        /// The thread where it is the regular and goes by the pointer; 0 where there is a reference.
        fileprivate let regular: UInt
    }

    /// Whom to tell an element: called under the lock, for ``tell(_:to:)`` outside it.
    @inline(__always)
    final func hold<Element>(for type: Element.Type) -> Hold? {
        guard let pointer = receiver(of: type) else { return nil }
        let receiver = Unmanaged<AnySink>.fromOpaque(pointer)
        let caller = Regular.caller
        // It is dismissed under the lock only, and so not between the two.
        if regular.is(caller), !regular.isIn, regular.comeIn(UInt(bitPattern: pointer), caller) {
            return Hold(receiver: receiver, regular: caller)
        }
        grow(used: caller)
        isFanOutShared = true
        return Hold(receiver: receiver.retain(), regular: 0)
    }

    /// Tells an element to what ``hold(for:)`` returned.
    @inline(__always)
    final func tell<Element>(_ element: Element, to hold: Hold) {
        hold.receiver._withUnsafeGuaranteedRef { unsafeDowncast($0, to: EventReceiver<Element>.self).next(element) }
        if hold.regular == 0 { hold.receiver.release() } else { leaveAsRegular(hold.regular) }
    }

    @inline(never)
    private func publish<Element>(_ type: Element.Type) -> UInt {
        if sinks.isSingle { return publish(sinks.first) }
        let new = sinks.fanOut(to: type)
        fanOut = new
        isFanOutShared = false
        return publish(new)
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
        if fanOut == nil, isNobodyIn { return (last, nil) }
        return (last, outdate(last.all))
    }

    /// Called under the lock when the sinks have changed.
    ///
    /// - Parameter removed: what was in the list.
    /// - Returns: what nobody goes by any more, to be let go of outside the lock.
    @inline(__always)
    private func outdate(_ removed: consuming AnySink?) -> AnyObject? {
        unpublish()
        if fanOut == nil, removed == nil || isNobodyIn { return removed }
        return outdate(removed.map { [$0] } ?? [])
    }

    @inline(__always)
    private func unpublish() {
        // Those who count themselves in after this do not read what was published before.
        published.store(sinks.isEmpty ? Audience.nobody : Audience.someone, ordering: .sequentiallyConsistent)
    }

    /// Called under the lock when a sink has been removed: removes it from the fan-out too, so that the next delivery
    /// need not make a new one.
    ///
    /// A fan-out may change only while nobody reads it:
    ///
    /// | this thread, under the lock        | a delivery on another thread                                          |
    /// |------------------------------------|-----------------------------------------------------------------------|
    /// | `published` = `someone`            |                                                                       |
    /// | reads `tellers` and the regular: 0 | is counted after that, so it reads `someone` and waits for the lock   |
    /// | changes the fan-out                |                                                                       |
    /// | `published` = the fan-out          | reads the fan-out as it is now                                        |
    ///
    /// A delivery that was counted before the second line makes it fail. One inside or beside another delivery holds a
    /// reference instead of being counted, which ``isFanOutShared`` says.
    ///
    /// - Returns: whether that was possible.
    @inline(never)
    private func removeFromFanOut(_ key: SinkList.Key) -> Bool {
        guard let fanOut, !isFanOutShared, !sinks.isSingle else { return false }
        unpublish()
        guard isNobodyIn, fanOut.remove(key) else { return false }
        publish(fanOut)
        return true
    }

    /// Called under the lock once what is published has changed.
    @inline(__always)
    private var isNobodyIn: Bool {
        tellers.load(ordering: .sequentiallyConsistent) == 0 && regular.whereabouts() == Audience.nobody
    }

    @inline(never)
    private func outdate(_ removed: [AnySink]) -> AnyObject? {
        outdated += removed
        if let last = fanOut.take() { outdated.append(last) }
        return takeOutdated()
    }

    /// Called under the lock. Whoever is still gone by is seen to by the one who goes by it, when he leaves.
    ///
    /// - Returns: what nobody goes by any more, to be let go of outside the lock.
    private func takeOutdated() -> AnyObject? {
        if outdated.isEmpty { return nil }
        let others = tellers.bitwiseOr(Audience.hasOutdated, ordering: .sequentiallyConsistent).oldValue
        // After that: one of the others may just have become the regular.
        var goneBy = (Audience.nobody, regular.whereabouts())
        if others & ~Audience.hasOutdated != 0 {
            goneBy.0 = inUse.load(ordering: .acquiring)
            if goneBy.0 == Audience.nobody { return nil }
        }
        let all = outdated
        outdated = all.filter {
            let pointer = UInt(bitPattern: Unmanaged<AnySink>.passUnretained($0).toOpaque())
            return pointer == goneBy.0 || pointer == goneBy.1
        }
        if outdated.isEmpty { tellers.bitwiseAnd(~Audience.hasOutdated, ordering: .acquiringAndReleasing) }
        return Remains(all)
    }

    @inline(never)
    private func letGo() {
        let free = lock.locked { takeOutdated() }
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

    /// Removes a sink.
    ///
    /// - Returns: whether it was in the list.
    /// - Complexity: Amortised constant time, apart from the search for the key (see ``SinkList``). While an element is
    ///   being delivered to several sinks, the first removal also makes the next delivery build a new fan-out, which takes
    ///   time in proportion to the number of sinks, as the delivery does.
    @discardableResult
    final func leave(_ key: SinkList.Key) -> Bool {
        var free: AnyObject?
        let wasIn = lock.locked {
            guard let sink = sinks.remove(key) else { return false }
            free = fanOut != nil && removeFromFanOut(key) ? sink : outdate(consume sink)
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
