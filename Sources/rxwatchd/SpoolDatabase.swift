import RxPipelines
import RxStore

/// The spools of all sinks in one database.
struct SpoolDatabase: SpoolStore {
    private let database: Database

    /// Opens the database in a directory. One that is damaged is set aside.
    ///
    /// - Parameter onDamage: called with the new path of that, and with what is wrong with it.
    init(in directory: String, onDamage: (String, String) -> Void) throws(DatabaseError) {
        let path = "\(directory)/spool.db"
        do throws(DatabaseError) {
            database = try Self.open(path)
        } catch {
            guard error.isDamage else { throw error }
            onDamage(Database.setAside(path), "\(error)")
            database = try Self.open(path)
        }
    }

    private static func open(_ path: String) throws(DatabaseError) -> Database {
        let database = try Database(at: path)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS spool (
                number INTEGER PRIMARY KEY AUTOINCREMENT, sink TEXT NOT NULL, source TEXT NOT NULL, run TEXT NOT NULL,
                sequence INTEGER NOT NULL, suffix TEXT NOT NULL, ordinal INTEGER NOT NULL, time REAL NOT NULL,
                value BLOB NOT NULL, UNIQUE (sink, source, run, sequence, suffix, ordinal)
            )
            """)
        try database.run("CREATE INDEX IF NOT EXISTS by_sink ON spool (sink, number, length(value))")
        // A damaged page shows when it is read.
        try database.run("SELECT count(*), sum(length(value)) FROM spool")
        return database
    }

    func size(of sink: String) throws -> (count: Int, bytes: Int) {
        let row = try database.run("SELECT count(*), total(length(value)) FROM spool WHERE sink = ?", .text(sink)).first
        let count = Int(row?.first?.integer ?? 0)
        return (count, Int(row?.last?.real ?? 0) + count * SpooledEvent.overhead)
    }

    func update(_ sink: String, removing done: [Int64], appending events: [SpooledEvent]) throws {
        try database.transaction([
            ("DELETE FROM spool WHERE number = ?", done.map { [.integer($0)] }),
            (
                """
                INSERT OR IGNORE INTO spool (sink, source, run, sequence, suffix, ordinal, time, value)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                events.map { row in
                    [
                        .text(sink), .text(row.event.source), .text(row.event.run),
                        .integer(Int64(row.event.sequence)), .text(row.suffix ?? ""), .integer(Int64(row.ordinal)),
                        .real(row.event.time), .blob(row.encoded),
                    ]
                }
            ),
        ])
    }

    func events(of sink: String, after number: Int64, limit: Int) throws -> [(number: Int64, event: SpooledEvent)] {
        try database.run(
            """
            SELECT number, source, run, sequence, suffix, ordinal, time, value FROM spool
            WHERE sink = ? AND number > ? ORDER BY number LIMIT ?
            """, .text(sink), .integer(number), .integer(Int64(limit))
        ).compactMap { row in
            guard row.count == 8, let number = row[0].integer, let source = row[1].text, let run = row[2].text,
                let sequence = row[3].integer.flatMap({ UInt64(exactly: $0) }), let suffix = row[4].text,
                let ordinal = row[5].integer, let time = row[6].real, let encoded = row[7].blob,
                let value = try? JSON(parsing: encoded)
            else { return nil }
            return (
                number,
                SpooledEvent(
                    SourceEvent(source, run: run, sequence: sequence, time: time), value, encoded: encoded,
                    ordinal: Int(ordinal),
                    suffix: suffix.isEmpty ? nil : suffix)
            )
        }
    }
}
