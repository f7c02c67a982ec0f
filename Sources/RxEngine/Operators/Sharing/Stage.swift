import Synchronization

// Unchecked: what changes is behind the lock of its stages.
/// One run of a source for many.
///
/// A subclass says where a subscriber is put and how the run is started. The run ends once: when the source ends, when
/// it is disposed, or when the last follower leaves; who comes then gets the next stage.
///
/// A stage's type does not have the element's type in it, nor do its stages': those who subscribe know it, and looking
/// generic types up would cost a connection more than the rest of it.
@usableFromInline
class Stage: @unchecked Sendable {
    /// The run's subscription.
    final let live = LiveSubscription()
    /// How many keep the run going.
    @exclusivity(unchecked) fileprivate final var followers = 0
    @exclusivity(unchecked) fileprivate final var isConnected = false
    @exclusivity(unchecked) fileprivate final var isOver = false
    /// The thread that is starting the source for a subscriber; only that writes it.
    private final let starting = Atomic<UnsafeRawPointer?>(nil)
    /// That subscriber's subscription. Touched by that thread only.
    @exclusivity(unchecked) private final var starter: LiveSubscription?
    /// What ``ConnectableObservable/connect()`` returned, while anyone holds it.
    @exclusivity(unchecked) fileprivate final weak var connection: Connection?

    /// Subscribes `sink`, which is told what it missed first.
    ///
    /// - Returns: `nil` where it was told the end.
    func admit(_ sink: AnySink) -> (any Disposable)? {
        preconditionFailure("\(type(of: self)) does not override admit(_:)")
    }

    /// Subscribes `sink`, which was counted as a follower: it leaves when it is disposed.
    func admitFollower(_ sink: AnySink, _ stages: Stages) -> (any Disposable)? {
        admit(sink).map { follow($0, stages) }
    }

    /// What disposes `subscription` and then leaves the stage.
    final func follow(_ subscription: any Disposable, _ stages: Stages) -> any Disposable {
        Follower(subscription, of: self, stages)
    }

    /// Lets a subscriber go that is known by a key.
    ///
    /// - Returns: whether it was there.
    func leave(_ key: SinkList.Key) -> Bool { false }

    /// Starts the source.
    func run(for stages: Stages) -> any Disposable {
        preconditionFailure("\(type(of: self)) does not override run(for:)")
    }

    /// Starts the source for a subscriber that cannot leave before that is done.
    fileprivate final func run(for stages: Stages, _ starter: LiveSubscription?) -> any Disposable {
        guard let starter else { return run(for: stages) }
        self.starter = starter
        starting.store(UnsafeRawPointer(ThreadState.current), ordering: .relaxed)
        defer {
            starting.store(nil, ordering: .relaxed)
            self.starter = nil
        }
        return run(for: stages)
    }

    /// Stops the run where the one it is being started for takes nothing any more, and is alone.
    @inline(__always)
    fileprivate final func stopUnlessWanted(_ stages: Stages) {
        if starting.load(ordering: .relaxed) != nil { stopUnlessStarterIsActive(stages) }
    }

    @inline(never)
    private final func stopUnlessStarterIsActive(_ stages: Stages) {
        guard starting.load(ordering: .relaxed) == UnsafeRawPointer(ThreadState.current), let starter else { return }
        if !starter.isActive { stages.stopAlone(self) }
    }

    // Unchecked: immutable but for the atomic.
    private final class Follower: Disposable, @unchecked Sendable {
        private let subscription: any Disposable
        private let stage: Stage
        private let stages: Stages
        private let hasLeft = Atomic(false)

        init(_ subscription: any Disposable, of stage: Stage, _ stages: Stages) {
            self.subscription = subscription
            self.stage = stage
            self.stages = stages
        }

        func dispose() {
            guard !hasLeft.exchange(true, ordering: .acquiringAndReleasing) else { return }
            subscription.dispose()
            stages.leave(stage)
        }
    }
}

// Unchecked: what changes is behind the lock.
/// The stages of a shared observable, of which there is one at a time. A stage does not know them; those who follow it,
/// and the run while it goes on, do.
@usableFromInline
final class Stages: @unchecked Sendable {
    private let lock = Lock()
    /// There until the end, which takes it.
    @exclusivity(unchecked) private var make: (() -> Stage)?
    @exclusivity(unchecked) private var current: Stage?

    /// - Parameter make: makes the next stage.
    @usableFromInline
    init(_ make: @escaping () -> Stage) {
        self.make = make
    }

    deinit {
        LettingGo.leave {
            make = nil
        } orKeepIn: {
            let held = make.take()
            return { withExtendedLifetime(held) {} }
        }
    }

    /// The stage that is going on, or else the next one.
    func present() -> Stage {
        present { _ in }
    }

    /// The same, with one more follower.
    func follow() -> Stage {
        present { $0.followers += 1 }
    }

    @inline(__always)
    private func present(_ note: (Stage) -> Void) -> Stage {
        let found = lock.locked {
            if let current { note(current) }
            return current
        }
        if let found { return found }
        // It may run a user's code, and so outside the lock; of several made at once the first is taken.
        guard let new = make?() else { preconditionFailure("a shared sequence that has gone was subscribed to") }
        return lock.locked {
            let stage = current ?? new
            current = stage
            note(stage)
            return stage
        }
    }

    /// What stops a stage's run: one object for as long as anyone holds it.
    func connection(to stage: Stage) -> Connection {
        let new = Connection(stage, self)
        return lock.locked {
            if let connection = stage.connection { return connection }
            stage.connection = new
            return new
        }
    }

    /// Starts a stage's run, unless it was started or is over.
    ///
    /// - Parameter starter: the subscription of the one that it is started for. Where that takes nothing any more
    ///   before the start has returned, and nobody else has subscribed, the run is stopped.
    func connect(_ stage: Stage, for starter: LiveSubscription? = nil) {
        let isFirst = lock.locked {
            if stage.isOver || stage.isConnected { return false }
            stage.isConnected = true
            return true
        }
        if isFirst { stage.live.attach(stage.run(for: self, starter)) }
    }

    /// Stops a run that nobody but one follower keeps going.
    fileprivate func stopAlone(_ stage: Stage) {
        let isAlone = lock.locked {
            guard stage.followers <= 1 else { return false }
            cancel(stage)
            return true
        }
        if isAlone { stage.live.dispose() }
    }

    /// A follower leaves; the last one ends the run.
    func leave(_ stage: Stage) {
        let wasLast = lock.locked {
            stage.followers -= 1
            guard stage.followers <= 0 else { return false }
            cancel(stage)
            return true
        }
        // Also a run that has ended, while its end is still being delivered: the follower may be about to subscribe to
        // what comes after it.
        if wasLast { stage.live.dispose() }
    }

    /// A follower leaves that is no longer a subscriber: because the run has ended, or because it has left before.
    func leaveEnded(_ stage: Stage) {
        if !stage.live.isActive { leave(stage) }
    }

    /// Stops a stage's run. One that has ended is freed, even while its end is still being delivered.
    func stop(_ stage: Stage) {
        lock.locked { cancel(stage) }
        stage.live.dispose()
    }

    /// Called under the lock. The run is silenced before the next stage can begin, which may have the same subscribers.
    ///
    /// A run that has just ended by itself stays the current one until ``close(_:)``: only whoever delivers its end
    /// knows when subscribers may start the next.
    private func cancel(_ stage: Stage) {
        if stage.live.end() { remove(stage) }
    }

    /// A run has ended: from now on subscribers get the next stage.
    func close(_ stage: Stage) {
        lock.locked { remove(stage) }
    }

    private func remove(_ stage: Stage) {
        stage.isOver = true
        if current === stage { current = nil }
    }
}

/// Stops the run of a connectable observable.
final class Connection: Cancelable {
    private let stage: Stage
    private let stages: Stages

    init(_ stage: Stage, _ stages: Stages) {
        self.stage = stage
        self.stages = stages
    }

    var isDisposed: Bool { stage.live.isDisposed }

    func dispose() {
        stages.stop(stage)
    }
}

/// Where the events of a stage's source arrive.
class StageSink<Element>: Sink<Element> {
    private let stage: Stage
    private let stages: Stages

    init(_ stage: Stage, _ stages: Stages) {
        self.stage = stage
        self.stages = stages
        super.init(stage.live)
    }

    /// Delivers an element to the subscribers.
    func deliver(_ element: Element) {
        preconditionFailure("\(type(of: self)) does not override deliver(_:)")
    }

    /// Delivers the end to the subscribers.
    ///
    /// - Parameter close: lets later subscribers start the next run. Called once, when none of them can any longer
    ///   reach the subscribers that receive this end: otherwise the next run would deliver to them too.
    func deliver(_ end: Termination, close: () -> Void) {
        preconditionFailure("\(type(of: self)) does not override deliver(_:close:)")
    }

    override final func next(_ element: Element) {
        guard live.isActive else { return }
        deliver(element)
        stage.stopUnlessWanted(stages)
    }

    override final func error(_ error: any Error) {
        end(with: .error(error))
    }

    override final func completed() {
        end(with: .completed)
    }

    private func end(with end: Termination) {
        guard live.end() else { return }
        deliver(end) { stages.close(stage) }
        live.dispose()
    }
}
