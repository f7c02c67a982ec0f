import Dispatch
import Glibc
import RxEngine
import RxPipelines
import RxStore

/// The database of lines that file sinks are about to write. It survives the process, but not a power failure.
///
/// A caller that stores holds the lock of a file, for which other processes may wait, so it never waits for a disk
/// here. The database is opened on another thread, and again after a failure, or when it turns out to be damaged.
final class BatchDatabase: BatchStore {
    private static let retryAfter = Duration.seconds(1)

    /// The connection, and whether using it fails.
    private struct State {
        var connection = Connection.closed(damage: nil)
        /// Whether the last use has failed.
        var hasFailed = false

        var database: Database? { if case .open(let database) = connection { database } else { nil } }
    }

    /// The connection to the database. `damage` is the damage that was found while the database was used.
    private enum Connection {
        case closed(damage: String?)
        /// The database is being opened, or is about to be.
        case opening(damage: String?)
        case open(Database)

        var damage: String? {
            switch self {
            case .closed(let damage), .opening(let damage): damage
            case .open: nil
            }
        }
    }

    private let path: String
    private let state = Locked(State())
    private let onDamage: @Sendable (String, String) -> Void
    private let onRestore: @Sendable () -> Void
    private let onResult: @Sendable ((any Error)?) -> Void

    /// Opens the database, if that is possible now.
    ///
    /// - Parameters:
    ///   - onDamage: called with the new path of a damaged database, and with what is wrong with it.
    ///   - onRestore: called when the file was deleted and has been written again.
    ///   - onResult: called with the first failure of several, and with `nil` when it works again.
    init(
        in directory: String, onDamage: @escaping @Sendable (String, String) -> Void,
        onRestore: @escaping @Sendable () -> Void = {}, onResult: @escaping @Sendable ((any Error)?) -> Void
    ) {
        path = StateDatabase.batches.path(in: directory)
        (self.onDamage, self.onRestore, self.onResult) = (onDamage, onRestore, onResult)
        open()
    }

    private func open() {
        let damage = state.withLock { state in
            let damage = state.connection.damage
            state.connection = .opening(damage: damage)
            return damage
        }
        let result = Result { () throws(DatabaseError) in
            try Database.open(
                path, format: 1, isForPowerFailures: false, largestRow: StateLimits.ofDaemon.row, damage: damage,
                prepare: Self.prepare, onDamage: onDamage,
                onRestore: onRestore)
        }
        state.withLock { state in
            state.connection =
                if case .success(let database) = result { .open(database) } else {
                    .closed(damage: state.connection.damage)
                }
        }
        ended(result.map { _ in })
    }

    private func openLater() {
        let isFirst = state.withLock { state in
            guard case .closed(let damage) = state.connection else { return false }
            state.connection = .opening(damage: damage)
            return true
        }
        guard isFirst else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.retryAfter.interval) { [weak self] in
            self?.open()
        }
    }

    private static func prepare(_ database: Database) throws(DatabaseError) {
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS batches (
                sink TEXT NOT NULL, place INTEGER NOT NULL, part BLOB NOT NULL, PRIMARY KEY (sink, place)
            )
            """)
    }

    func all() -> [String: [[UInt8]]] {
        var all: [String: [[UInt8]]] = [:]
        use { database throws(DatabaseError) in
            all = [:]
            _ = try StateLimits.ofDaemon.read(
                "SELECT sink, part FROM batches ORDER BY sink, place", in: database
            ) {
                if let sink = $0[0].text, let part = $0[1].blob { all[sink, default: []].append(part) }
            }
        }
        return all
    }

    func replaceAll(with parts: [String: [UInt8]]) {
        let rows = parts.map { [DatabaseValue.text($0), .integer(0), .blob($1)] }
        let isDone: Void? = use { database throws(DatabaseError) in
            try database.transaction([("DELETE FROM batches", [[]]), (Self.insertion, rows)])
        }
        if isDone != nil { return }
        // As on a full disk. The old rows must not stay: the next process would compare them with the lines that this
        // one writes to the same places.
        state.withLock { state in
            if case .opening = state.connection {
                state.connection = .opening(damage: nil)
            } else {
                state.connection = .closed(damage: nil)
            }
        }
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }

    func store(_ part: [UInt8]?, at index: Int, of sink: String) {
        let row = [DatabaseValue.text(sink), .integer(Int64(index)), part.map { .blob($0) } ?? .null]
        use { database throws(DatabaseError) in
            try database.transaction([
                ("DELETE FROM batches WHERE sink = ? AND place >= ?", [[row[0], row[1]]]),
                (Self.insertion, part == nil ? [] : [row]),
            ])
        }
    }

    private static let insertion = "INSERT INTO batches VALUES (?, ?, ?)"

    @discardableResult
    private func use<Value>(_ body: (Database) throws(DatabaseError) -> Value) -> Value? {
        guard let database = state.withLock({ $0.database }) else {
            openLater()
            return nil
        }
        do throws(DatabaseError) {
            let value = try body(database)
            ended(.success(()))
            return value
        } catch {
            if error.isDamage {
                state.withLock { state in
                    if state.database === database { state.connection = .closed(damage: "\(error)") }
                }
            }
            ended(.failure(error))
            return nil
        }
    }

    private func ended(_ result: Result<Void, DatabaseError>) {
        let error: DatabaseError? = if case .failure(let error) = result { error } else { nil }
        let isChange = state.withLock { state in
            defer { state.hasFailed = error != nil }
            return state.hasFailed != (error != nil)
        }
        if isChange { onResult(error) }
    }
}
