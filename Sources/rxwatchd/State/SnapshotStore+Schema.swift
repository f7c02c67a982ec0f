import RxJSON
import RxPipelines
import RxStore

// The tables of the store, and the statements that read and write them.
extension SnapshotStore {
    /// Creates the tables and columns that are missing.
    static func prepare(_ database: Database) throws(DatabaseError) {
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS unsettled (
                source TEXT NOT NULL, run TEXT NOT NULL, sequence INTEGER NOT NULL, time REAL NOT NULL,
                value BLOB NOT NULL, done BLOB NOT NULL, results BLOB NOT NULL DEFAULT '[]',
                place INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (source, run, sequence)
            ) WITHOUT ROWID
            """)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS state (
                node TEXT NOT NULL PRIMARY KEY, content TEXT NOT NULL, run TEXT NOT NULL, cells BLOB NOT NULL
            ) WITHOUT ROWID
            """)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS finished (
                id TEXT NOT NULL PRIMARY KEY, source TEXT NOT NULL, process INTEGER NOT NULL, mark INTEGER NOT NULL,
                done BLOB NOT NULL
            ) WITHOUT ROWID
            """)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS sinks (
                pipeline TEXT NOT NULL, kind TEXT NOT NULL, number INTEGER NOT NULL, place INTEGER NOT NULL,
                isRemoved INTEGER NOT NULL, content TEXT NOT NULL, PRIMARY KEY (pipeline, kind, number)
            ) WITHOUT ROWID
            """)
        // The first versions had neither column.
        let columns = try database.run("SELECT name FROM pragma_table_info('unsettled')")
        for (column, type) in [("results", "BLOB NOT NULL DEFAULT '[]'"), ("place", "INTEGER NOT NULL DEFAULT 0")]
        where !columns.contains([.text(column)]) {
            try database.run("ALTER TABLE unsettled ADD COLUMN \(column) \(type)")
        }
    }

    /// What a database contains: the last snapshot, the notes since it, and the number of events that are not read.
    typealias StoredState = (snapshot: Snapshot, notes: [ProgressNote], rest: Int)

    /// The content of the database, of which the last events are left out if there is no memory for them.
    ///
    /// - Throws: damage if a row cannot be decoded.
    static func stored(in database: Database, within limits: StateLimits) throws(DatabaseError) -> StoredState {
        let reader = RowReader(database: database, limits: limits)
        // Events come last: without the state, sources would start anew.
        let states = try reader.rows("node, content, run, cells", of: "state") { NodeState.read(row: $0) }
        let sinks = try reader.rows(
            "pipeline, kind, number, isRemoved, content", of: "sinks", orderedBy: "place"
        ) { $0 }
        let notes = try reader.rows("id, source, done", of: "finished") { ProgressNote(row: $0) }
        let events = try reader.rows(
            "source, run, sequence, time, value, done, results, place", of: "unsettled",
            orderedBy: "place, time, sequence"
        ) { UnsettledEvent(row: $0) }
        let count = try database.run("SELECT count(*) FROM unsettled").first?.first?.integer ?? 0
        let snapshot = Snapshot(
            events: events, nodes: Dictionary(states) { $1 }, sinks: SinkNames.read(rows: sinks))
        return (snapshot, notes, max(0, Int(count) - events.count))
    }

    /// Reads and decodes the rows of tables.
    private struct RowReader {
        let database: Database
        let limits: StateLimits

        func rows<Value>(
            _ columns: String, of table: String, orderedBy order: String? = nil,
            _ decode: ([DatabaseValue]) -> Value?
        ) throws(DatabaseError) -> [Value] {
            var values: [Value] = []
            var unreadable = 0
            let query = "SELECT \(columns) FROM \(table)\(order.map { " ORDER BY \($0)" } ?? "")"
            _ = try limits.read(query, in: database) { row in
                if let value = decode(row) { values.append(value) } else { unreadable += 1 }
            }
            if unreadable == 0 { return values }
            throw .damage("\(counted(unreadable, "row")) of '\(table)' cannot be read")
        }
    }

    /// The statements of a transaction that replaces the names of sinks.
    static func changes(
        of sinks: [String: SinkNames], to others: [String: SinkNames]
    ) -> [(String, [[DatabaseValue]])] {
        let names = Set(sinks.keys).union(others.keys).filter { sinks[$0] != others[$0] }
        return [
            ("DELETE FROM sinks WHERE pipeline = ?", names.map { [.text($0)] }),
            (
                "INSERT OR REPLACE INTO sinks VALUES (?, ?, ?, ?, ?, ?)",
                names.flatMap { name in others[name]?.rows(of: name) ?? [] }
            ),
        ]
    }

    static let insertion = """
        INSERT OR REPLACE INTO unsettled (source, run, sequence, time, value, done, results, place)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    static let note = "INSERT OR REPLACE INTO finished VALUES (?, ?, ?, ?, ?)"
    static let deletion = "DELETE FROM unsettled WHERE source = ? AND run = ? AND sequence = ?"
    static let stateInsertion = "INSERT OR REPLACE INTO state VALUES (?, ?, ?, ?)"
    static let stateDeletion = "DELETE FROM state WHERE node = ?"
}
