import Synchronization

// Unchecked: the lock of its slot guards the state.
/// One run of a source that several subscribers share.
///
/// A subclass adds subscribers and starts the source. The run ends once: when the source ends, when the run is
/// disposed, or when the last subscriber unsubscribes. Later subscribers get the next connection of the slot.
///
/// Neither a connection nor its slot is generic over the element, whose type the subscribers know: looking generic
/// types up would cost a disposable more than the rest of it.
@usableFromInline
class Connection: @unchecked Sendable {
    /// The run's subscription.
    final let live = LiveSubscription()
    /// The number of subscribers that keep the run going (`refCount`).
    @exclusivity(unchecked) final var references = 0
    @exclusivity(unchecked) final var phase = Phase.idle
    /// The thread that is starting the source on behalf of a subscriber, the initiator. Only that thread writes it.
    private final let startingThread = Atomic<UnsafeRawPointer?>(nil)
    /// The initiator's subscription. Only ``startingThread`` accesses it.
    @exclusivity(unchecked) private final var initiator: LiveSubscription?
    /// The disposable that ``ConnectableObservable/connect()`` returned, as long as it is retained.
    @exclusivity(unchecked) final weak var disposable: ConnectionDisposable?

    enum Phase {
        /// The source has yet to be started.
        case idle
        case connected
        /// Not the slot's current connection any more: later subscribers get the next one.
        case closed
    }

    /// Adds a subscriber, which receives replayed elements first.
    ///
    /// - Returns: the disposable that removes it; `nil` if it was not added because it has received the end.
    func add(_ sink: AnySink) -> (any Disposable)? {
        preconditionFailure("\(type(of: self)) does not override add(_:)")
    }

    /// Adds a subscriber for which the caller has added a reference.
    ///
    /// - Returns: the disposable that removes it and releases the reference; `nil` if it was not added.
    func addCounted(_ sink: AnySink, _ slot: ConnectionSlot) -> (any Disposable)? {
        add(sink).map { countedSubscription($0, slot) }
    }

    /// Returns a disposable that disposes `subscription` and then releases a reference to the connection.
    final func countedSubscription(_ subscription: any Disposable, _ slot: ConnectionSlot) -> any Disposable {
        ConnectionReference(subscription, of: self, slot)
    }

    /// Removes the subscriber with this key.
    ///
    /// - Returns: whether it was subscribed.
    func remove(_ key: SinkList.Key) -> Bool { false }

    /// Starts the source.
    ///
    /// - Returns: the disposable that stops it.
    func run(for slot: ConnectionSlot) -> any Disposable {
        preconditionFailure("\(type(of: self)) does not override run(for:)")
    }

    /// Starts the source on behalf of a subscriber, which cannot unsubscribe by its disposable before this returns.
    final func run(for slot: ConnectionSlot, _ initiator: LiveSubscription?) -> any Disposable {
        guard let initiator else { return run(for: slot) }
        self.initiator = initiator
        startingThread.store(UnsafeRawPointer(ThreadState.current), ordering: .relaxed)
        defer {
            startingThread.store(nil, ordering: .relaxed)
            self.initiator = nil
        }
        return run(for: slot)
    }

    /// Stops the run if the first subscriber has ended while the source is still inside its start, and no other
    /// subscriber shares the run. Called after each element: without it, a source that emits without end inside its
    /// start could not be stopped, since the subscriber has no disposable yet.
    @inline(__always)
    final func checkInitiator(_ slot: ConnectionSlot) {
        if startingThread.load(ordering: .relaxed) != nil { stopUnlessInitiatorIsActive(slot) }
    }

    @inline(never)
    private final func stopUnlessInitiatorIsActive(_ slot: ConnectionSlot) {
        guard startingThread.load(ordering: .relaxed) == UnsafeRawPointer(ThreadState.current), let initiator else {
            return
        }
        if !initiator.isActive { slot.stopUnlessShared(self) }
    }

    // Unchecked: immutable apart from the atomic.
    /// A disposable that disposes a subscription and releases its reference to the connection, once.
    private final class ConnectionReference: Disposable, @unchecked Sendable {
        private let subscription: any Disposable
        private let connection: Connection
        private let slot: ConnectionSlot
        private let isReleased = Atomic(false)

        init(_ subscription: any Disposable, of connection: Connection, _ slot: ConnectionSlot) {
            self.subscription = subscription
            self.connection = connection
            self.slot = slot
        }

        func dispose() {
            guard !isReleased.exchange(true, ordering: .acquiringAndReleasing) else { return }
            subscription.dispose()
            slot.release(connection)
        }
    }
}
