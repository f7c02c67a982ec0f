// Unchecked: the lock guards the state.
/// The holder of a shared observable's current connection, of which there is at most one at a time.
///
/// A connection does not retain its slot. The subscribers do, and so does the source while it runs.
@usableFromInline
final class ConnectionSlot: @unchecked Sendable {
    let lock = Lock()
    /// Makes the next connection. `nil` only during deinitialization.
    @exclusivity(unchecked) private var makeConnection: (() -> Connection)?
    @exclusivity(unchecked) private var current: Connection?
    /// Keeps a run without subscribers going for a while; `nil` if it stops at once.
    private let grace: ConnectionGrace?

    /// - Parameters:
    ///   - period: how long a run continues without subscribers; `nil` if it stops at once.
    ///   - makeConnection: makes a connection.
    @usableFromInline
    init(_ period: GracePeriod? = nil, _ makeConnection: @escaping () -> Connection) {
        grace = period.map(ConnectionGrace.init)
        self.makeConnection = makeConnection
    }

    deinit {
        DeferredRelease.release {
            makeConnection = nil
        } orDefer: {
            let held = makeConnection.take()
            return { withExtendedLifetime(held) {} }
        }
    }

    /// Returns the current connection, or makes the next one.
    func connection() -> Connection {
        connection { _ in }
    }

    /// Returns the current connection, or makes the next one, and adds a reference to it.
    func retainedConnection() -> Connection {
        guard let grace else { return connection { $0.references += 1 } }
        var timer: (any Disposable)?
        let retained = connection {
            $0.references += 1
            timer = grace.cancel()
        }
        timer?.dispose()
        return retained
    }

    @inline(__always)
    private func connection(_ update: (Connection) -> Void) -> Connection {
        let found = lock.locked {
            if let current { update(current) }
            return current
        }
        if let found { return found }
        // Outside the lock, as it may run user code. If several threads make a connection, the first one is used.
        guard let new = makeConnection?() else {
            preconditionFailure("a shared sequence was subscribed to during its deinitialization")
        }
        return lock.locked {
            let connection = current ?? new
            current = connection
            update(connection)
            return connection
        }
    }

    /// Returns the disposable that stops a connection's run: the same object as long as it is retained.
    func disposable(for connection: Connection) -> ConnectionDisposable {
        let new = ConnectionDisposable(connection, self)
        return lock.locked {
            if let disposable = connection.disposable { return disposable }
            connection.disposable = new
            return new
        }
    }

    /// Starts a connection's run, unless it was started or is closed.
    ///
    /// - Parameters:
    ///   - connection: the connection.
    ///   - initiator: the subscription on whose behalf the run is started. If it is over before the start has returned,
    ///     and no other subscriber shares the run, the run is stopped.
    func connect(_ connection: Connection, for initiator: LiveSubscription? = nil) {
        let isFirst = lock.locked {
            guard connection.phase == .idle else { return false }
            connection.phase = .connected
            return true
        }
        guard isFirst else { return }
        if let record = connection.live.record {
            record.set(connection: connection)
            record.set(live: connection.live)
        }
        connection.live.attach(connection.run(for: self, initiator))
    }

    /// Stops a connection's run unless several references keep it going.
    func stopUnlessShared(_ connection: Connection) {
        let now = grace?.now ?? .zero
        let isUnshared = lock.locked {
            guard connection.references <= 1, grace?.hasPassed(at: now) ?? true else { return false }
            cancel(connection)
            return true
        }
        if isUnshared { connection.live.dispose() }
    }

    /// Releases a reference to a connection. Releasing the last one stops the run.
    func release(_ connection: Connection) {
        if let grace { return release(connection, with: grace) }
        let wasLast = lock.locked {
            connection.references -= 1
            guard connection.references <= 0 else { return false }
            cancel(connection)
            return true
        }
        // This also disposes a run that has ended and is still delivering its end: the subscriber may be about to
        // subscribe to a sequence that needs the source to be disposed, such as the next run.
        if wasLast { connection.live.dispose() }
    }

    /// Releases the reference of a subscriber that is not in the list any more, if the run has ended. If it has not,
    /// the subscriber was removed before and its reference is released already.
    func releaseIfEnded(_ connection: Connection) {
        if !connection.live.isActive { release(connection) }
    }

    /// Stops a connection's run. A run that has ended is disposed, even while its end is still being delivered.
    func stop(_ connection: Connection) {
        lock.locked { cancel(connection) }
        connection.live.dispose()
    }

    /// Silences a connection's run before the next connection can start, which may have the same subscribers. Called
    /// under the lock.
    ///
    /// A run that has ended by itself stays the current one until ``close(_:)``: only the code that delivers its end
    /// knows when subscribers may start the next run.
    func cancel(_ connection: Connection) {
        if connection.live.end() { remove(connection) }
    }

    /// Closes the connection of a run that has ended: later subscribers get the next connection.
    func close(_ connection: Connection) {
        let timer = lock.locked {
            defer { remove(connection) }
            return connection === current ? grace?.cancel() : nil
        }
        timer?.dispose()
    }

    /// Called under the lock.
    private func remove(_ connection: Connection) {
        connection.phase = .closed
        if current === connection { current = nil }
    }
}

/// A disposable that stops the run of a connectable observable.
final class ConnectionDisposable: Cancelable {
    private let connection: Connection
    private let slot: ConnectionSlot

    init(_ connection: Connection, _ slot: ConnectionSlot) {
        self.connection = connection
        self.slot = slot
    }

    var isDisposed: Bool { connection.live.isDisposed }

    func dispose() {
        slot.stop(connection)
    }
}
