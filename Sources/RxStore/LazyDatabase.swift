import RxEngine

/// A database that is opened when it is first used, and again while that fails. One that turns out to be damaged is
/// closed, and set aside when it is used next.
///
/// Its owner uses it under a lock, or on a queue: nobody may write to a database that is being set aside.
package struct LazyDatabase<Connection> {
    private let retryAfter: Duration
    private let open: @Sendable (_ damage: String?) throws(DatabaseError) -> Connection
    private let onResult: @Sendable (DatabaseError?) -> Void
    private var connection: Connection?
    /// What is wrong with the database, if that was seen while it was used.
    private var damage: String?
    private var failure: (error: DatabaseError, time: ContinuousClock.Instant)?

    /// - Parameters:
    ///   - retryAfter: how long a failure to open it counts.
    ///   - open: opens the database, and sets it aside if the argument says what is wrong with it.
    ///   - onResult: called with the first failure of several to open it, and with `nil` when it is open after all.
    package init(
        retryAfter: Duration = .zero, open: @escaping @Sendable (_ damage: String?) throws(DatabaseError) -> Connection,
        onResult: @escaping @Sendable (DatabaseError?) -> Void = { _ in }
    ) {
        self.retryAfter = retryAfter
        self.open = open
        self.onResult = onResult
    }

    package var isOpen: Bool { connection != nil }

    /// Calls `body` with the open database.
    ///
    /// - Parameter retriesDamage: whether `body` is called again with a new database, if this one turns out to be
    ///   damaged.
    package mutating func use<Value>(
        retriesDamage: Bool = false, _ body: (Connection) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        do throws(DatabaseError) {
            return try body(try opened())
        } catch {
            guard error.isDamage, connection != nil else { throw error }
            (connection, damage) = (nil, "\(error)")
            guard retriesDamage else { throw error }
        }
        return try use(body)
    }

    private mutating func opened() throws(DatabaseError) -> Connection {
        if let connection { return connection }
        if let failure, .now - failure.time < retryAfter { throw failure.error }
        do throws(DatabaseError) {
            let connection = try open(damage)
            let hasFailed = failure != nil
            (self.connection, damage, failure) = (connection, nil, nil)
            if hasFailed { onResult(nil) }
            return connection
        } catch {
            let isFirst = failure == nil
            failure = (error, .now)
            if isFirst { onResult(error) }
            throw error
        }
    }
}
