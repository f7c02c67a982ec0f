import Synchronization

/// The subscribers of a subject or connection, and the delivery of events to them.
///
/// It is an object of its own, so that a subscription can remove itself without retaining the subject.
///
/// Delivering an element takes no lock. A delivery loads a pointer to the receiver: the only sink, or a fan-out over
/// several. A removed sink or replaced fan-out is retired: the list retains it until no delivery can use it any more. A
/// delivery says with a hazard pointer which receiver it uses:
///
/// - The thread that delivers most often, the owner, stores the pointer in its ``BiasedOwner`` and does nothing else.
/// - Other deliveries count themselves in `readers`, with an atomic addition. The first of them stores the pointer in
///   `hazard`. A delivery during that one, nested or on another thread, retains the receiver under the lock instead.
///
/// A removal reads `readers` and sets ``hasRetired`` in one step. A delivery that was counted before that keeps the
/// receiver that it uses:
///
/// | counted delivery                      | removal, under the lock             | then                           |
/// |---------------------------------------|-------------------------------------|--------------------------------|
/// | adds 1 to `readers`                   |                                     |                                |
/// | loads `published`: the old receiver   |                                     |                                |
/// |                                       | stores `published`                  |                                |
/// |                                       | reads `readers`: not 0              |                                |
/// | stores `hazard` before or after this  | loads `hazard`: `none`              | the removal releases nothing   |
/// |                                       | or loads `hazard`: the old receiver | it releases all but that one   |
/// | subtracts 1; only `hasRetired` is set |                                     | the delivery reclaims the rest |
///
/// A delivery that is counted later loads the new receiver:
///
/// | counted delivery                    | removal, under the lock | then                      |
/// |-------------------------------------|-------------------------|---------------------------|
/// |                                     | stores `published`      |                           |
/// |                                     | reads `readers`: 0      | releases the old receiver |
/// | adds 1 to `readers`                 |                         |                           |
/// | loads `published`: the new receiver |                         |                           |
///
/// The accesses to `readers` and `published` in the tables are sequentially consistent, except for the subtraction.
/// ``BiasedOwner`` has the tables for the owner.
// Unchecked: all state is atomic or guarded by the lock; sinks are called outside it, by the grammar of events.
@usableFromInline
class SubscriberList: @unchecked Sendable {
    /// Whether the list still delivers.
    enum Phase {
        case open
        case terminated(Termination)
        case disposed
    }

    final let lock = Lock()
    /// The subscribed sinks. Guarded by the lock.
    @exclusivity(unchecked) final private(set) var sinks = SinkList()
    /// Guarded by the lock.
    @exclusivity(unchecked) final private(set) var phase = Phase.open

    /// The address of the receiver: ``none``, the only sink, ``fanOut``, or ``unresolved`` if the next delivery must
    /// determine it under the lock.
    private let published = Atomic<UInt>(SubscriberList.none)
    /// The receiver that delivers to several sinks. The first delivery after a sink was added makes it; sinks that are
    /// removed later are removed from it. Guarded by the lock.
    @exclusivity(unchecked) private var fanOut: (any AnyFanOut)?
    /// Whether a delivery may have retained `fanOut`, which must not change any more then. Guarded by the lock.
    @exclusivity(unchecked) private var isFanOutRetained = false
    /// The number of deliveries that are counted, plus ``hasRetired`` while objects are retired.
    private let readers = Atomic<UInt>(0)
    /// The receiver that the first counted delivery uses, once the delivery has loaded it.
    private let hazard = Atomic<UInt>(SubscriberList.none)
    /// The thread that delivers most often, and the receiver that it uses.
    private let owner = BiasedOwner()
    /// How many deliveries there were before a thread became the owner. Only the first counted delivery writes it, or
    /// ``pinReceiver(of:)`` under the lock.
    @exclusivity(unchecked) private var deliveries: UInt32 = 0
    /// Receivers that were published before and that a delivery may still use. Guarded by the lock.
    @exclusivity(unchecked) private var retired: [AnySink] = []

    /// A bit of ``readers`` that is set while objects are retired.
    private static let hasRetired: UInt = 1 << 63
    private static let none: UInt = 0
    private static let unresolved: UInt = 1

    /// Whether the list has a subscriber.
    var hasSubscribers: Bool { published.load(ordering: .acquiring) != SubscriberList.none }

    /// Whether ``dispose()`` was called.
    final var isDisposed: Bool {
        lock.locked { if case .disposed = phase { true } else { false } }
    }

    /// Delivers an element to all subscribers. `Element` must be their element type.
    final func next<Element>(_ element: Element) {
        let caller = CurrentThread.number
        guard owner.isOwner(caller) else { return nextCounted(element, caller) }
        if owner.isInside { return deliver(element, to: lock.locked { retainedReceiver(of: Element.self) }) }
        var current = published.load(ordering: .acquiring)
        if current == SubscriberList.unresolved { current = resolve(Element.self) }
        guard let pointer = UnsafeRawPointer(bitPattern: current) else { return noteDropped(element) }
        // A thread that retires the receiver after the load above revokes this thread's ownership: either it sees the
        // address, or `enter` returns false.
        guard owner.enter(using: current, as: caller) else {
            leaveAndReclaim(as: caller)
            return nextCounted(element, caller)
        }
        Unmanaged<AnySink>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
            unsafeDowncast($0, to: EventReceiver<Element>.self).next(element)
        }
        leaveAndReclaim(as: caller)
    }

    /// Ends a delivery of the owner and reclaims the objects that were retired for it. Either the owner itself retired
    /// them, inside its delivery, or a thread that revoked it; so a relaxed load of `readers` is enough.
    @inline(__always)
    private func leaveAndReclaim(as caller: UInt) {
        if !owner.leave(as: caller) || readers.load(ordering: .relaxed) & SubscriberList.hasRetired != 0 { reclaim() }
    }

    /// Passes an element to ``Hooks/onNextDropped`` if the list is closed.
    @inline(__always)
    final func noteDropped<Element>(_ element: Element) {
        if DiagnosticSwitches.isOn(DiagnosticSwitches.nextDropped) { passDropped(element) }
    }

    @inline(never)
    private final func passDropped<Element>(_ element: Element) {
        if !lock.locked({ isOpen }) { Hooks.dropped(element) }
    }

    /// Delivers an element on a thread that is not the owner.
    @inline(never)
    private func nextCounted<Element>(_ element: Element, _ caller: UInt) {
        guard readers.add(1, ordering: .sequentiallyConsistent).oldValue & ~SubscriberList.hasRetired == 0 else {
            return nextRetaining(element)
        }
        var current = published.load(ordering: .sequentiallyConsistent)
        if current == SubscriberList.unresolved { current = resolve(Element.self) }
        if let pointer = UnsafeRawPointer(bitPattern: current) {
            hazard.store(current, ordering: .releasing)
            Unmanaged<AnySink>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                unsafeDowncast($0, to: EventReceiver<Element>.self).next(element)
            }
            hazard.store(SubscriberList.none, ordering: .releasing)
        } else {
            noteDropped(element)
        }
        countDelivery(by: caller)
        removeReader()
    }

    /// Counts a delivery, and makes the calling thread the owner at the threshold.
    @inline(__always)
    private func countDelivery(by caller: UInt) {
        guard deliveries < BiasedOwner.threshold else { return }
        deliveries += 1
        if deliveries == BiasedOwner.threshold { owner.claim(caller) }
    }

    /// Delivers an element during another delivery, on this or another thread. It is counted only until it has retained
    /// the receiver, because `hazard` has room for one delivery.
    @inline(never)
    private func nextRetaining<Element>(_ element: Element) {
        let receiver = lock.locked { retainedReceiver(of: Element.self) }
        removeReader()
        deliver(element, to: receiver)
    }

    /// Ends a counted delivery. The last one reclaims the retired objects.
    @inline(__always)
    private func removeReader() {
        if readers.subtract(1, ordering: .acquiringAndReleasing).newValue == SubscriberList.hasRetired { reclaim() }
    }

    /// Determines the receiver after the sinks have changed.
    @inline(never)
    private func resolve<Element>(_ type: Element.Type) -> UInt {
        lock.locked {
            defer { checkInvariants() }
            let current = published.load(ordering: .relaxed)
            return current == SubscriberList.unresolved ? publish(type) : current
        }
    }

    /// The receiver, retained, for `deliver(_:to:)` outside the lock. Called under the lock.
    @inline(__always)
    private func retainedReceiver<Element>(of type: Element.Type) -> Unmanaged<AnySink>? {
        receiver(of: type).map {
            isFanOutRetained = true
            return Unmanaged.fromOpaque($0).retain()
        }
    }

    /// The receiver. Called under the lock.
    @inline(__always)
    private func receiver<Element>(of type: Element.Type) -> UnsafeRawPointer? {
        let current = published.load(ordering: .relaxed)
        return UnsafeRawPointer(bitPattern: current == SubscriberList.unresolved ? publish(type) : current)
    }

    /// Delivers an element to a retained receiver and releases it.
    @inline(__always)
    private func deliver<Element>(_ element: Element, to receiver: Unmanaged<AnySink>?) {
        guard let receiver else { return }
        receiver._withUnsafeGuaranteedRef { unsafeDowncast($0, to: EventReceiver<Element>.self).next(element) }
        receiver.release()
    }

    /// A receiver that stays alive outside the lock, by a hazard pointer of the owner or a reference.
    struct PinnedReceiver {
        fileprivate let receiver: Unmanaged<AnySink>
        /// The owner if it uses its hazard pointer; 0 if the receiver was retained.
        fileprivate let ownerThread: UInt
    }

    /// Pins the receiver for one `deliver(_:to:)` outside the lock. Called under the lock.
    ///
    /// - Returns: the receiver; `nil` if the list has no subscriber.
    @inline(__always)
    final func pinReceiver<Element>(of type: Element.Type) -> PinnedReceiver? {
        guard let pointer = receiver(of: type) else { return nil }
        let receiver = Unmanaged<AnySink>.fromOpaque(pointer)
        let caller = CurrentThread.number
        // The owner is revoked under the lock only, so not between `isOwner` and `enter`.
        if owner.isOwner(caller), !owner.isInside, owner.enter(using: UInt(bitPattern: pointer), as: caller) {
            return PinnedReceiver(receiver: receiver, ownerThread: caller)
        }
        countDelivery(by: caller)
        isFanOutRetained = true
        return PinnedReceiver(receiver: receiver.retain(), ownerThread: 0)
    }

    /// Delivers an element to a receiver that ``pinReceiver(of:)`` returned, and unpins it.
    @inline(__always)
    final func deliver<Element>(_ element: Element, to pinned: PinnedReceiver) {
        pinned.receiver._withUnsafeGuaranteedRef { unsafeDowncast($0, to: EventReceiver<Element>.self).next(element) }
        if pinned.ownerThread == 0 { pinned.receiver.release() } else { leaveAndReclaim(as: pinned.ownerThread) }
    }

    /// Publishes the receiver for the current sinks. Called under the lock.
    @inline(never)
    private func publish<Element>(_ type: Element.Type) -> UInt {
        if sinks.isSingle { return publish(sinks.first) }
        let new = sinks.fanOut(to: type)
        fanOut = new
        isFanOutRetained = false
        return publish(new)
    }

    @inline(__always)
    @discardableResult
    private func publish(_ receiver: AnySink?) -> UInt {
        let current = receiver.map { UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? SubscriberList.none
        published.store(current, ordering: .releasing)
        return current
    }

    /// Makes a key for a sink that the caller adds now or later. Called under the lock.
    @inline(__always)
    final func makeKey() -> SinkList.Key {
        sinks.makeKey()
    }

    /// Adds a sink. Called under the lock.
    ///
    /// - Returns: the objects that no delivery uses any more, for the caller to release outside the lock.
    @inline(__always)
    final func add(_ sink: AnySink, as key: SinkList.Key) -> AnyObject? {
        let isFirst = sinks.isEmpty
        defer { checkInvariants() }
        sinks.add(sink, as: key)
        if isFirst {
            publish(sink)
            return nil
        }
        return retire(nil)
    }

    /// Removes every sink. Called under the lock.
    ///
    /// - Returns: the sinks, and the objects that no delivery uses any more, for the caller to release outside the
    ///   lock.
    private func removeAll() -> (SinkList, AnyObject?) {
        let last = sinks.takeAll()
        if last.isEmpty { return (last, nil) }
        published.store(SubscriberList.none, ordering: .sequentiallyConsistent)
        if fanOut == nil, hasNoReaders { return (last, nil) }
        return (last, retire(last.all))
    }

    /// Retires the receiver and a removed sink. Called under the lock after the sinks have changed.
    ///
    /// - Parameter removed: the sink that was in the list.
    /// - Returns: the objects that no delivery uses any more, for the caller to release outside the lock.
    @inline(__always)
    private func retire(_ removed: consuming AnySink?) -> AnyObject? {
        unpublish()
        if fanOut == nil, removed == nil || hasNoReaders { return removed }
        return retire(removed.map { [$0] } ?? [])
    }

    /// Makes the next delivery determine the receiver.
    @inline(__always)
    private func unpublish() {
        // Sequentially consistent: a delivery that is counted after this does not load the old receiver.
        published.store(
            sinks.isEmpty ? SubscriberList.none : SubscriberList.unresolved, ordering: .sequentiallyConsistent)
    }

    /// Removes a sink from the fan-out too, so that the next delivery need not make a new one. Called under the lock
    /// after the sink was removed from the list.
    ///
    /// A fan-out may change only while no delivery uses it:
    ///
    /// | this thread, under the lock              | a delivery on another thread                             |
    /// |------------------------------------------|----------------------------------------------------------|
    /// | `published` = `unresolved`               |                                                          |
    /// | loads `readers` and the owner's value: 0 | is counted later: loads `unresolved`, waits for the lock |
    /// | changes the fan-out                      |                                                          |
    /// | `published` = the fan-out                | loads the changed fan-out                                |
    ///
    /// If a delivery was counted before the second line, that line does not load 0 and this method returns false. A
    /// nested or concurrent delivery retains the fan-out instead of being counted, which ``isFanOutRetained`` records.
    ///
    /// - Returns: whether the sink was removed.
    @inline(never)
    private func removeFromFanOut(_ key: SinkList.Key) -> Bool {
        guard let fanOut, !isFanOutRetained, !sinks.isSingle else { return false }
        unpublish()
        guard hasNoReaders, fanOut.remove(key) else { return false }
        publish(fanOut)
        return true
    }

    /// Whether no delivery can use a receiver that was published before. Called under the lock after `published` has
    /// changed. Revokes an owner that is another thread.
    @inline(__always)
    private var hasNoReaders: Bool {
        readers.load(ordering: .sequentiallyConsistent) == 0 && owner.valueInUse() == SubscriberList.none
    }

    /// Retires the fan-out and removed sinks, and reclaims what it can.
    @inline(never)
    private func retire(_ removed: [AnySink]) -> AnyObject? {
        retired += removed
        if let last = fanOut.take() { retired.append(last) }
        return takeReclaimable()
    }

    /// Takes the retired objects that no delivery uses any more. A delivery that uses one reclaims it at its end.
    /// Called under the lock.
    ///
    /// - Returns: the objects, for the caller to release outside the lock.
    private func takeReclaimable() -> AnyObject? {
        if retired.isEmpty { return nil }
        let others = readers.bitwiseOr(SubscriberList.hasRetired, ordering: .sequentiallyConsistent).oldValue
        // Loaded after `readers`: a delivery that is counted no longer may have made its thread the owner.
        var hazards = (SubscriberList.none, owner.valueInUse())
        if others & ~SubscriberList.hasRetired != 0 {
            hazards.0 = hazard.load(ordering: .acquiring)
            if hazards.0 == SubscriberList.none { return nil }
        }
        let all = retired
        retired = all.filter {
            let pointer = UInt(bitPattern: Unmanaged<AnySink>.passUnretained($0).toOpaque())
            return pointer == hazards.0 || pointer == hazards.1
        }
        if retired.isEmpty { readers.bitwiseAnd(~SubscriberList.hasRetired, ordering: .acquiringAndReleasing) }
        return RetiredObjects(all)
    }

    /// Releases the retired objects that no delivery uses any more.
    @inline(never)
    private func reclaim() {
        let free = lock.locked {
            defer { checkInvariants() }
            return takeReclaimable()
        }
        withExtendedLifetime(free) {}
    }

    /// Adds a sink or, if the list is closed, delivers the terminal event to it.
    ///
    /// - Parameters:
    ///   - sink: receives the events from now on.
    ///   - subject: the object that ``RxError/disposed(object:)`` names.
    /// - Returns: the key for ``remove(_:)``; `nil` if the list is closed.
    final func add<Element>(_ sink: Sink<Element>, to subject: any AnyObject & Sendable) -> SinkList.Key? {
        if DiagnosticSwitches.isOn(DiagnosticSwitches.records) { SubscriptionRecord.note(subject, of: sink) }
        var free: AnyObject?
        let key = lock.locked { () -> SinkList.Key? in
            guard isOpen else { return nil }
            let key = makeKey()
            free = add(sink, as: key)
            return key
        }
        withExtendedLifetime(free) {}
        if key == nil { reject(sink, of: subject) }
        return key
    }

    /// Whether the list delivers and accepts sinks. Called under the lock.
    @inline(__always)
    final var isOpen: Bool {
        if case .open = phase { true } else { false }
    }

    /// Delivers the terminal event of a closed list to a sink.
    @inline(never)
    final func reject(_ sink: AnySink, of subject: any AnyObject & Sendable) {
        switch lock.locked({ phase }) {
        case .open: break
        case .terminated(let end): sink.terminate(with: end)
        case .disposed: sink.error(RxError.disposed(object: subject))
        }
    }

    /// Removes a sink.
    ///
    /// - Returns: whether it was in the list.
    /// - Complexity: Amortized constant time, apart from the search for the key (see ``SinkList``). While an element is
    ///   being delivered to several sinks, the first removal also makes the next delivery build a new fan-out, which
    ///   takes time in proportion to the number of sinks, as the delivery does.
    @discardableResult
    final func remove(_ key: SinkList.Key) -> Bool {
        var free: AnyObject?
        let wasInList = lock.locked {
            guard let sink = sinks.remove(key) else { return false }
            defer { checkInvariants() }
            free = fanOut != nil && removeFromFanOut(key) ? sink : retire(consume sink)
            return true
        }
        return withExtendedLifetime(free) { wasInList }
    }

    /// Closes the list and delivers the terminal event to all subscribers, once. `Element` must be their element type.
    final func terminate<Element>(with end: Termination, _ type: Element.Type) {
        if DiagnosticSwitches.isOn(DiagnosticSwitches.errorDropped), !lock.locked({ isOpen }) { Hooks.dropped(end) }
        close(with: end).terminate(with: end, type)
    }

    /// Closes the list, so that later subscribers receive the terminal event at once.
    ///
    /// - Returns: the subscribers, for the caller to deliver the terminal event to; none if the list was closed before.
    final func close(with end: Termination) -> SinkList {
        var free: (AnyObject?, AnyObject?)
        let last = lock.locked { () -> SinkList in
            guard isOpen else { return SinkList() }
            phase = .terminated(end)
            let (last, retired) = removeAll()
            free = (retired, didClose(with: end))
            checkInvariants()
            return last
        }
        return withExtendedLifetime(free) { last }
    }

    /// Handles the terminal event in a subclass. Called under the lock.
    ///
    /// - Returns: an object for the caller to release outside the lock.
    func didClose(with end: Termination) -> AnyObject? { nil }

    /// Removes all subscribers without a terminal event, and closes the list.
    final func dispose() {
        let last = lock.locked { () -> (Phase, SinkList, AnyObject?, AnyObject?) in
            let before = phase
            phase = .disposed
            let (last, retired) = removeAll()
            checkInvariants()
            return (before, last, retired, didDispose())
        }
        withExtendedLifetime(last) {}
    }

    /// Disposes the list in the deinitializer of its subject, after which no thread can subscribe.
    @inline(__always)
    final func disposeInDeinit() {
        if hasSubscribers { dispose() }
    }

    /// Handles disposal in a subclass. Called under the lock.
    ///
    /// - Returns: an object for the caller to release outside the lock.
    func didDispose() -> AnyObject? { nil }

    /// Traps in a debug build if the state is one that no operation leads to. Called under the lock.
    @inline(__always)
    final func checkInvariants() {
        #if DEBUG
        let current = published.load(ordering: .relaxed)
        precondition(
            (current == SubscriberList.none) == sinks.isEmpty,
            "a subscriber list has subscribers but no receiver, or the reverse")
        precondition(isOpen || sinks.isEmpty, "a closed subscriber list has subscribers")
        let receiver: AnySink? = fanOut ?? (current == SubscriberList.unresolved ? nil : sinks.first)
        precondition(
            receiver.map { current == UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } != false,
            "the published receiver of a subscriber list is not its current one")
        let hasRetired = readers.load(ordering: .relaxed) & SubscriberList.hasRetired != 0
        precondition(
            hasRetired == !retired.isEmpty, "`hasRetired` of a subscriber list does not match its retired receivers")
        #endif
    }

    /// Returns a disposable that removes the subscriber with this key.
    final func subscription(_ key: SinkList.Key?) -> any Disposable {
        if let key { Subscription(subscribers: self, key: key) } else { Disposables.create() }
    }

    /// A disposable that removes a subscriber. It does not retain the subscriber, which retains it.
    private struct Subscription: Disposable {
        let subscribers: SubscriberList
        let key: SinkList.Key

        func dispose() {
            subscribers.remove(key)
        }
    }
}

/// Objects that are released with this one.
final class RetiredObjects {
    private let objects: [AnyObject]

    init(_ objects: [AnyObject]) {
        self.objects = objects
    }
}
