import Dispatch
import Glibc
import RxEngine
import RxPipelines
import RxStore

/// What sinks are about to write, in a database that survives the process, but no power failure.
///
/// Whoever stores has the lock of a file, for which others wait: it waits for nothing here but the system's memory. The
/// database is opened by others, and again when that has failed, or when it turns out to be damaged.
final class BatchDatabase: BatchStore {
    private static let retryAfter = Duration.seconds(1)

    private struct State {
        /// `nil` while it cannot be opened.
        var database: Database?
        /// What is wrong with the database, if that was seen while it was used.
        var damage: String?
        /// Whether someone opens it, or will.
        var isOpening = false
        /// Whether the last use has failed.
        var hasFailed = false
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
        path = "\(directory)/batches.db"
        (self.onDamage, self.onRestore, self.onResult) = (onDamage, onRestore, onResult)
        open()
    }

    private func open() {
        let damage = state.withLock { state in
            state.isOpening = true
            return state.damage
        }
        let result = Result { () throws(DatabaseError) in
            try Database.open(
                path, format: 1, isForPowerFailures: false, damage: damage, prepare: Self.prepare, onDamage: onDamage,
                onRestore: onRestore)
        }
        state.withLock { state in
            state.isOpening = false
            if case .success(let database) = result { (state.database, state.damage) = (database, nil) }
        }
        ended(result.map { _ in })
    }

    private func openLater() {
        let isMine = state.withLock { state in
            defer { state.isOpening = true }
            return !state.isOpening
        }
        guard isMine else { return }
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
        let rows = use { database throws(DatabaseError) in
            try database.run("SELECT sink, part FROM batches ORDER BY sink, place")
        }
        return (rows ?? []).reduce(into: [:]) { all, row in
            if let sink = row[0].text, let part = row[1].blob { all[sink, default: []].append(part) }
        }
    }

    func replaceAll(with parts: [String: [UInt8]]) {
        let rows = parts.map { [DatabaseValue.text($0), .integer(0), .blob($1)] }
        let isDone: Void? = use { database throws(DatabaseError) in
            try database.transaction([("DELETE FROM batches", [[]]), (Self.insertion, rows)])
        }
        if isDone != nil { return }
        // As on a full disk. The next process would compare it with what this one writes to the same places.
        state.withLock { ($0.database, $0.damage) = (nil, nil) }
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }

    func store(_ part: [UInt8]?, at place: Int, of sink: String) {
        let row = [DatabaseValue.text(sink), .integer(Int64(place)), part.map { .blob($0) } ?? .null]
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
                    if state.database === database { (state.database, state.damage) = (nil, "\(error)") }
                }
            }
            ended(.failure(error))
            return nil
        }
    }

    private func ended(_ result: Result<Void, DatabaseError>) {
        let error: DatabaseError? = if case .failure(let error) = result { error } else { nil }
        let isNews = state.withLock { state in
            defer { state.hasFailed = error != nil }
            return state.hasFailed != (error != nil)
        }
        if isNews { onResult(error) }
    }
}
