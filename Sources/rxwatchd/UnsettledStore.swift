import Dispatch
import Glibc
import RxEngine
import RxLinux
import RxPipelines
import RxStore

/// Keeps the events that were not settled when the daemon stopped, for the next process.
///
/// They stay until they are settled: a process that is killed leaves them as they were.
final class UnsettledStore: Sendable {
    private let database: Database
    private let queue = DispatchQueue(label: "rx.unsettled")

    /// Opens the store in a directory. One that is damaged is set aside.
    ///
    /// - Parameter onDamage: told where to, and what was wrong with it.
    init(in directory: String, onDamage: (String, DatabaseError) -> Void) throws(DatabaseError) {
        let path = "\(directory)/events.db"
        do throws(DatabaseError) {
            database = try Self.open(path)
        } catch {
            guard error.isDamage else { throw error }
            let aside = "\(path).damaged"
            for suffix in ["", "-wal", "-shm"] { rename(path + suffix, aside + suffix) }
            onDamage(aside, error)
            database = try Self.open(path)
        }
    }

    private static func open(_ path: String) throws(DatabaseError) -> Database {
        let database = try Database(at: path)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS unsettled (
                source TEXT NOT NULL, run TEXT NOT NULL, sequence INTEGER NOT NULL, time REAL NOT NULL,
                value BLOB NOT NULL, done BLOB NOT NULL, PRIMARY KEY (source, run, sequence)
            ) WITHOUT ROWID
            """)
        return database
    }

    /// What the process before has left, in the order in which it was told. What cannot be read is left out.
    func events() throws(DatabaseError) -> [UnsettledEvent] {
        try database.run("SELECT source, run, sequence, time, value, done FROM unsettled ORDER BY time, sequence")
            .compactMap { UnsettledEvent(row: $0) }
    }

    /// Keeps these, and forgets all others.
    func replace(with events: [UnsettledEvent]) throws(DatabaseError) {
        // Behind what is being forgotten.
        try queue.sync {
            Result { () throws(DatabaseError) in
                try database.transaction([
                    ("DELETE FROM unsettled", [[]]),
                    ("INSERT INTO unsettled VALUES (?, ?, ?, ?, ?, ?)", events.map(\.row)),
                ])
            }
        }.get()
    }

    /// Forgets an event, which is settled. Does not wait.
    func forget(_ event: SourceEvent) {
        queue.async { [database] in
            // What cannot be forgotten is told again by the next process, whose sinks know what they have done.
            _ = try? database.run(
                "DELETE FROM unsettled WHERE source = ? AND run = ? AND sequence = ?", .text(event.source),
                .text(event.run), .integer(Int64(event.sequence)))
        }
    }
}

extension UnsettledEvent {
    fileprivate var row: [DatabaseValue] {
        [
            .text(event.source), .text(event.run), .integer(Int64(event.sequence)), .real(event.time),
            .blob(value.bytes), .blob(progress.json.bytes),
        ]
    }

    fileprivate init?(row: [DatabaseValue]) {
        guard row.count == 6, let source = row[0].text, let run = row[1].text,
            let sequence = row[2].integer.flatMap({ UInt64(exactly: $0) }), let time = row[3].real,
            let value = try? JSON(parsing: row[4].blob ?? []), let done = try? JSON(parsing: row[5].blob ?? [])
        else { return nil }
        self.init(
            SourceEvent(source, run: run, sequence: sequence, time: time, isRedelivered: true), value,
            SinkProgress(done))
    }
}

extension SinkProgress {
    /// What each sink is done with, by its name.
    fileprivate var json: JSON {
        .object(
            JSON.Object(
                uniqueKeysWithValues: done.sorted { $0.key < $1.key }
                    .map { ($0.key, .array($0.value.sorted().map { .number(Double($0)) })) }))
    }

    fileprivate init(_ json: JSON) {
        let members = json.object?.members ?? []
        self.init(
            done: Dictionary(
                members.map { ($0.key, Set(($0.value.array ?? []).compactMap { $0.number.map { Int($0) } })) }
            ) { $0.union($1) })
    }
}
