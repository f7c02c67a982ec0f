import Glibc
import RxJSON
import RxPipelines
import RxStore

/// The database with the spools of all sinks.
struct SpoolDatabase: SpoolStore {
    private let database: Database

    /// Opens the database in a directory. A damaged one is renamed, and its readable rows are kept. Reads little: a
    /// damaged page shows when it is used.
    ///
    /// - Parameters:
    ///   - directory: the state directory.
    ///   - damage: the damage of the database, if one is known.
    ///   - onDamage: called with the new path of a damaged database, and with its damage.
    ///   - onRestore: called when the file was deleted and has been written again.
    init(
        in directory: String, damage: String? = nil, onDamage: (String, String) -> Void,
        onRestore: @escaping @Sendable () -> Void = {}
    ) throws(DatabaseError) {
        database = try Database.open(
            StateDatabase.spools.path(in: directory), format: 1, largestRow: StateLimits.ofDaemon.row, damage: damage,
            prepare: Self.prepare,
            salvage: { damaged, new throws(DatabaseError) in
                var salvage = SpoolSalvage(damaged, new)
                return try salvage.run()
            }, onDamage: onDamage, onRestore: onRestore)
    }

    /// Whether a directory has a database that is not empty.
    static func exists(in directory: String) -> Bool {
        var status = stat()
        return stat(StateDatabase.spools.path(in: directory), &status) == 0 ? status.st_size > 0 : errno != ENOENT
    }

    /// The columns that the first versions did not have.
    static let laterColumns = [("failure", "BLOB"), ("receivers", "BLOB"), ("replayed", "INTEGER")]

    private static func prepare(_ database: Database) throws(DatabaseError) {
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS spool (
                number INTEGER PRIMARY KEY AUTOINCREMENT, sink TEXT NOT NULL, source TEXT NOT NULL, run TEXT NOT NULL,
                sequence INTEGER NOT NULL, suffix TEXT NOT NULL, ordinal INTEGER NOT NULL, time REAL NOT NULL,
                value BLOB NOT NULL, failure BLOB, receivers BLOB, replayed INTEGER
            )
            """)
        let columns = try database.run("SELECT name FROM pragma_table_info('spool')")
        for (column, type) in laterColumns where !columns.contains([.text(column)]) {
            try database.run("ALTER TABLE spool ADD COLUMN \(column) \(type)")
        }
        try database.run("CREATE INDEX IF NOT EXISTS by_sink ON spool (sink, number, length(value))")
        try database.run("DROP INDEX IF EXISTS by_event")
        try database.run("CREATE INDEX IF NOT EXISTS by_origin ON spool (run, sequence)")
    }

    /// The sinks with stored events, read without repairing the database; none if there is no database.
    static func sinks(readingIn directory: String) throws(DatabaseError) -> Set<String> {
        guard exists(in: directory) else { return [] }
        return Set(try sinks(in: Database(reading: StateDatabase.spools.path(in: directory))))
    }

    /// The latest stored events of each sink, read without repairing the database.
    static func latest(readingIn directory: String) throws(DatabaseError) -> [LatestSpooledEvent] {
        guard exists(in: directory) else { return [] }
        return try latest(in: Database(reading: StateDatabase.spools.path(in: directory)))
    }

    func latestReadAtOnce() -> [LatestSpooledEvent] { (try? Self.latest(in: database)) ?? [] }

    private static func latest(in database: Database) throws(DatabaseError) -> [LatestSpooledEvent] {
        var latest: [LatestSpooledEvent] = []
        // A database of the first versions has not got this column yet.
        let column = try database.run("SELECT 1 FROM pragma_table_info('spool') WHERE name = 'replayed'")
        let condition = column.isEmpty ? "" : "AND replayed IS NULL"
        for sink in try sinks(in: database) {
            let rows = try database.run(
                """
                SELECT source, run, sequence, ordinal FROM spool WHERE sink = ? AND suffix = '' \(condition)
                ORDER BY number DESC LIMIT ?
                """, .text(sink), .integer(Int64(LatestSpooledEvent.maximum)))
            for row in rows {
                guard let source = row[0].text, let run = row[1].text,
                    let sequence = row[2].integer.flatMap({ UInt64(exactly: $0) }), let ordinal = row[3].integer
                else { continue }
                let event = SourceEvent(source, run: run, sequence: sequence, time: 0)
                latest.append(LatestSpooledEvent(sink: sink, event: event, ordinal: Int(ordinal)))
            }
        }
        return latest
    }

    func sinksReadAtOnce() -> Set<String>? { try? Set(sinks()) }

    func sinks() throws(DatabaseError) -> [String] { try Self.sinks(in: database) }

    private static func sinks(in database: Database) throws(DatabaseError) -> [String] {
        // Seeks from one sink to the next: DISTINCT would read the whole index.
        try database.run(
            """
            WITH RECURSIVE found (sink) AS (
                SELECT min(sink) FROM spool
                UNION ALL SELECT (SELECT min(sink) FROM spool WHERE sink > found.sink) FROM found
                WHERE found.sink IS NOT NULL
            ) SELECT sink FROM found WHERE sink IS NOT NULL
            """
        ).compactMap { $0.first?.text }
    }

    func size(of sink: String) throws(DatabaseError) -> (count: Int, bytes: Int) {
        let row = try database.run("SELECT count(*), total(length(value)) FROM spool WHERE sink = ?", .text(sink)).first
        let count = Int(row?.first?.integer ?? 0)
        return (count, Int(row?.last?.real ?? 0) + count * SpooledEvent.overhead)
    }

    func lastNumber(of sink: String) throws(DatabaseError) -> Int64 {
        try database.run("SELECT max(number) FROM spool WHERE sink = ?", .text(sink)).first?.first?.integer ?? 0
    }

    private static let insertion = """
        INSERT INTO spool (sink, source, run, sequence, suffix, ordinal, time, value, replayed)
        SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
        """
    /// For an event that may be stored already.
    private static let insertionOfNew = """
        \(insertion) WHERE NOT EXISTS (SELECT 1 FROM spool WHERE
        sink = ?1 AND source = ?2 AND run = ?3 AND (sequence = ?4 OR substr(run, 1, 1) = '@') AND suffix = ?5
        AND ordinal = ?6 AND replayed IS NULL)
        """

    func update(_ sink: String, _ changes: SpoolChanges) throws(DatabaseError) {
        var steps = [
            (
                "UPDATE spool SET failure = ?, receivers = ? WHERE number = ?",
                changes.failures.map { number, failure in
                    [DatabaseValue.blob(failure.cause.bytes), .blob(failure.receivers.json.bytes), .integer(number)]
                }
            ),
            ("DELETE FROM spool WHERE number = ?", changes.removed.map { [DatabaseValue.integer($0)] }),
        ]
        // In order, and those with the same statement together.
        var rest = changes.added[...]
        while let first = rest.first {
            let part = rest.prefix { $0.mayBeStored == first.mayBeStored }
            rest = rest[part.endIndex...]
            steps.append(
                (first.mayBeStored ? Self.insertionOfNew : Self.insertion, part.map { Self.row($0, of: sink) }))
        }
        try database.transaction(steps, isDurable: !changes.added.isEmpty)
    }

    private static func row(_ row: SpooledEvent, of sink: String) -> [DatabaseValue] {
        [
            .text(sink), .text(row.event.source), .text(row.event.run), .integer(Int64(row.event.sequence)),
            .text(row.suffix ?? ""), .integer(Int64(row.ordinal)), .real(row.event.time), .blob(row.encoded),
            row.isReplayed ? .integer(1) : .null,
        ]
    }

    func events(
        of sink: String, after number: Int64, limit: Int, bytes: Int = .max
    ) throws(DatabaseError) -> [(number: Int64, event: SpooledEvent?)] {
        let sizes = try database.run(
            """
            SELECT length(value) + coalesce(length(failure), 0) + coalesce(length(receivers), 0)
                + length(source) + length(run) + length(suffix)
            FROM spool WHERE sink = ? AND number > ? ORDER BY number LIMIT ?
            """, .text(sink), .integer(number), .integer(Int64(limit)))
        var (count, size) = (0, 0)
        for row in sizes where count == 0 || size < bytes {
            count += 1
            size += row.first?.integer.map { Int($0) } ?? 0
        }
        return try database.run(
            """
            SELECT number, source, run, sequence, suffix, ordinal, time, value, failure, receivers, replayed FROM spool
            WHERE sink = ? AND number > ? ORDER BY number LIMIT ?
            """, .text(sink), .integer(number), .integer(Int64(count))
        ).compactMap { row in row.first?.integer.map { ($0, Self.event(row)) } }
    }

    private static func event(_ row: [DatabaseValue]) -> SpooledEvent? {
        guard row.count == 11, let source = row[1].text, let run = row[2].text,
            let sequence = row[3].integer.flatMap({ UInt64(exactly: $0) }), let suffix = row[4].text,
            let ordinal = row[5].integer, let time = row[6].real, let encoded = row[7].blob,
            let value = try? JSON(parsing: encoded)
        else { return nil }
        return SpooledEvent(
            SourceEvent(source, run: run, sequence: sequence, time: time), value, encoded: encoded,
            ordinal: Int(ordinal), suffix: suffix.isEmpty ? nil : suffix, isReplayed: row[10].integer == 1,
            failure: row[8].blob.flatMap { try? JSON(parsing: $0) }.map { cause in
                SpooledFailure(
                    cause, receivers: SinkProgress((try? row[9].blob.map { try JSON(parsing: $0) }) ?? .null))
            })
    }
}

extension SpooledEvent {
    /// Whether the event may be stored already. A replay has the id of another event.
    fileprivate var mayBeStored: Bool { event.mayBeRepeated && !isReplayed }
}
