import Glibc
import RxEngine
import RxPipelines
import RxStore

/// The spool database of a directory, which is opened when it is first used, and again while that fails.
///
/// It is locked while it is opened and used: nobody may write to a database that is being set aside.
final class LazySpools: SpoolStore {
    /// How long a failure to open it counts for everybody.
    private static let retryAfter = Duration.milliseconds(500)

    private struct State {
        var database: SpoolDatabase?
        /// What is wrong with the database, if that was seen while it was used.
        var damage: String?
        var failure: (error: any Error, time: ContinuousClock.Instant)?
    }

    private let directory: String
    private let onDamage: @Sendable (String, String) -> Void
    private let onResult: @Sendable ((any Error)?) -> Void
    private let state = Locked(State())

    /// - Parameters:
    ///   - onDamage: called with the new path of a database that is set aside, and with what is wrong with it.
    ///   - onResult: called with the first failure of several to open it, and with `nil` when it is open after all.
    init(
        in directory: String, onDamage: @escaping @Sendable (String, String) -> Void,
        onResult: @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.directory = directory
        self.onDamage = onDamage
        self.onResult = onResult
    }

    /// Opens the database, if that is possible now.
    func open() {
        try? use { _ in }
    }

    func sinks() throws -> [String] { try use(orIfNone: []) { try $0.sinks() } }

    func size(of sink: String) throws -> (count: Int, bytes: Int) {
        try use(orIfNone: (0, 0)) { try $0.size(of: sink) }
    }

    func update(_ sink: String, _ changes: SpoolChanges) throws { try use { try $0.update(sink, changes) } }

    func events(of sink: String, after number: Int64, limit: Int) throws -> [(number: Int64, event: SpooledEvent?)] {
        try use(orIfNone: []) { try $0.events(of: sink, after: number, limit: limit) }
    }

    /// - Parameter empty: the answer if there is no database yet, and none can be made.
    private func use<Value>(orIfNone empty: Value? = nil, _ body: (SpoolDatabase) throws -> Value) throws -> Value {
        try state.withLock { state in
            let database: SpoolDatabase
            do {
                database = try opened(&state)
            } catch {
                guard let empty, !SpoolDatabase.exists(in: directory) else { throw error }
                return empty
            }
            do {
                return try body(database)
            } catch let error as DatabaseError where error.isDamage {
                (state.database, state.damage) = (nil, "\(error)")
                throw error
            }
        }
    }

    private func opened(_ state: inout State) throws -> SpoolDatabase {
        if let database = state.database { return database }
        if let (error, time) = state.failure, .now - time < Self.retryAfter { throw error }
        do {
            let database = try SpoolDatabase(in: directory, damage: state.damage, onDamage: onDamage)
            if state.failure != nil { onResult(nil) }
            state = State(database: database)
            return database
        } catch {
            if state.failure == nil { onResult(error) }
            state.failure = (error, .now)
            throw error
        }
    }
}
