import Glibc
import RxEngine
import RxPipelines
import RxStore

/// What sinks are about to write, in a database that is opened when it is first used.
final class BatchDatabase: BatchStore {
    private struct State {
        var database: LazyDatabase<Database>
        /// Whether the last use has failed.
        var hasFailed = false
    }

    private let path: String
    private let state: Locked<State>
    private let onResult: @Sendable ((any Error)?) -> Void

    /// - Parameters:
    ///   - onDamage: called with the new path of a damaged database, and with what is wrong with it.
    ///   - onResult: called with the first failure of several, and with `nil` when something is stored after all.
    init(
        in directory: String, onDamage: @escaping @Sendable (String, String) -> Void,
        onResult: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let path = "\(directory)/batches.db"
        self.path = path
        self.onResult = onResult
        let database = LazyDatabase<Database>(
            retryAfter: .milliseconds(500),
            open: { damage throws(DatabaseError) in
                try Database.open(path, format: 1, damage: damage, prepare: Self.prepare, onDamage: onDamage)
            })
        state = Locked(State(database: database))
    }

    private static func prepare(_ database: Database) throws(DatabaseError) {
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS batches (
                sink TEXT NOT NULL, place INTEGER NOT NULL, part BLOB NOT NULL, PRIMARY KEY (sink, place)
            )
            """)
    }

    func parts(of sink: String) -> [[UInt8]] {
        if !exists { return [] }
        return use { database throws(DatabaseError) in
            try database.run("SELECT part FROM batches WHERE sink = ? ORDER BY place", .text(sink))
        }?.compactMap { $0.first?.blob } ?? []
    }

    func store(_ part: [UInt8], at place: Int, of sink: String) {
        use { database throws(DatabaseError) in
            try database.transaction(
                [
                    ("DELETE FROM batches WHERE sink = ? AND place >= ?", [[.text(sink), .integer(Int64(place))]]),
                    ("INSERT INTO batches VALUES (?, ?, ?)", [[.text(sink), .integer(Int64(place)), .blob(part)]]),
                ], isDurable: false)
        }
    }

    func removeAll(except sinks: Set<String>) {
        if !exists { return }
        use { database throws(DatabaseError) in
            let stored = Set(try database.run("SELECT DISTINCT sink FROM batches").compactMap { $0.first?.text })
            let gone = stored.subtracting(sinks)
            if gone.isEmpty { return }
            try database.transaction([("DELETE FROM batches WHERE sink = ?", gone.map { [.text($0)] })])
        }
    }

    private var exists: Bool { access(path, F_OK) == 0 }

    @discardableResult
    private func use<Value>(_ body: (Database) throws(DatabaseError) -> Value) -> Value? {
        let (result, isNews) = state.withLock { state in
            let result = Result { () throws(DatabaseError) in try state.database.use(retriesDamage: true, body) }
            let hasFailed = if case .failure = result { true } else { false }
            defer { state.hasFailed = hasFailed }
            return (result, hasFailed != state.hasFailed)
        }
        switch result {
        case .success(let value):
            if isNews { onResult(nil) }
            return value
        case .failure(let error):
            if isNews { onResult(error) }
            return nil
        }
    }
}
