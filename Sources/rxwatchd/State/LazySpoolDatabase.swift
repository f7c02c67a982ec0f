import Glibc
import RxEngine
import RxPipelines
import RxStore

/// The spool database of a directory, which is opened at its first use, and again after a failure.
///
/// A lock is held while it is opened and used: nothing may be written to a database that is being renamed.
final class LazySpoolDatabase: SpoolStore {
    /// The time for which a failure to open it is the answer to all callers.
    private static let retryAfter = Duration.milliseconds(500)

    /// The database of the spools, and which sinks use it.
    private struct State {
        var database: LazyDatabase<SpoolDatabase>
        /// The sinks that use the database.
        var sinks: Set<String> = []
        /// The sinks that have not received the error of a damaged database yet, which may have lost some of their
        /// events.
        var unaware: [String: DatabaseError] = [:]
    }

    private let directory: String
    private let state: Locked<State>

    /// - Parameters:
    ///   - onDamage: called with the new path of a damaged database, and with its damage.
    ///   - onRestore: called when the file was deleted and has been written again.
    ///   - onResult: called with the first of several failures to open it, and with `nil` when it is open again.
    init(
        in directory: String, onDamage: @escaping @Sendable (String, String) -> Void,
        onRestore: @escaping @Sendable () -> Void = {}, onResult: @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.directory = directory
        let database = LazyDatabase<SpoolDatabase>(
            retryAfter: Self.retryAfter,
            open: { damage throws(DatabaseError) in
                try SpoolDatabase(in: directory, damage: damage, onDamage: onDamage, onRestore: onRestore)
            }, onResult: onResult)
        state = Locked(State(database: database))
    }

    /// Opens the database, if that is possible now.
    func open() {
        try? use { _ in }
    }

    /// Reads with a connection of its own, as the other one may be salvaging the database.
    func sinksReadAtOnce() -> Set<String>? {
        try? SpoolDatabase.sinks(readingIn: directory)
    }

    func latestReadAtOnce() -> [LatestSpooledEvent] {
        (try? SpoolDatabase.latest(readingIn: directory)) ?? []
    }

    func sinks() throws -> [String] {
        try use(orIfNone: []) { database throws(DatabaseError) in try database.sinks() }
    }

    func size(of sink: String) throws -> (count: Int, bytes: Int) {
        try use(orIfNone: (0, 0)) { database throws(DatabaseError) in try database.size(of: sink) }
    }

    func lastNumber(of sink: String) throws -> Int64 {
        try use(orIfNone: 0) { database throws(DatabaseError) in try database.lastNumber(of: sink) }
    }

    func update(_ sink: String, _ changes: SpoolChanges) throws {
        try use(for: sink) { database throws(DatabaseError) in try database.update(sink, changes) }
    }

    func events(
        of sink: String, after number: Int64, limit: Int, bytes: Int = .max
    ) throws -> [(number: Int64, event: SpooledEvent?)] {
        try use(for: sink, orIfNone: []) { database throws(DatabaseError) in
            try database.events(of: sink, after: number, limit: limit, bytes: bytes)
        }
    }

    /// - Parameters:
    ///   - sink: the sink that relies on the stored events; `nil` for a query that concerns no single sink.
    ///   - empty: the result if there is no database yet, and none can be created.
    private func use<Value>(
        for sink: String? = nil, orIfNone empty: Value? = nil, _ body: (SpoolDatabase) throws(DatabaseError) -> Value
    ) throws -> Value {
        try state.withLock { state in
            if let sink {
                state.sinks.insert(sink)
                if let damage = state.unaware.removeValue(forKey: sink) { throw damage }
            }
            let wasOpen = state.database.isOpen
            do throws(DatabaseError) {
                return try state.database.use(body)
            } catch {
                if wasOpen, !state.database.isOpen {
                    for other in state.sinks where other != sink { state.unaware[other] = error }
                }
                guard !state.database.isOpen, let empty, !SpoolDatabase.exists(in: directory) else { throw error }
                return empty
            }
        }
    }
}
