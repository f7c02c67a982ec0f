import RxEngine

/// A database that is opened on first use, and retried while opening fails.
///
/// If it proves damaged it is closed, and renamed on the next use. Its owner uses it under a lock or on a queue:
/// nothing may write to a database that is being renamed.
package struct LazyDatabase<Connection> {
    private let retryAfter: Duration
    private let open: @Sendable (_ damage: String?) throws(DatabaseError) -> Connection
    private let onResult: @Sendable (DatabaseError?) -> Void
    private var connection: Connection?
    /// The damage of the database, if it was found during use.
    private var damage: String?
    private var failure: (error: DatabaseError, time: SuspendingClock.Instant)?

    /// Creates a closed database.
    ///
    /// - Parameters:
    ///   - retryAfter: the time between a failure to open the database and the next attempt.
    ///   - open: opens the database, and renames it first if the argument describes its damage.
    ///   - onResult: takes the first of several failures to open it, and `nil` when it opens after a failure.
    package init(
        retryAfter: Duration = .zero, open: @escaping @Sendable (_ damage: String?) throws(DatabaseError) -> Connection,
        onResult: @escaping @Sendable (DatabaseError?) -> Void = { _ in }
    ) {
        self.retryAfter = retryAfter
        self.open = open
        self.onResult = onResult
    }

    /// Whether the database is open.
    package var isOpen: Bool { connection != nil }

    /// Calls `body` with the open database.
    ///
    /// - Parameters:
    ///   - retriesDamage: whether `body` is called again with a new database if this one proves damaged.
    ///   - body: uses the connection.
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
