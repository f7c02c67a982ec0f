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

    /// The last snapshot, without notes. Throws damage if a row cannot be decoded.
    static func stored(in database: Database) throws(DatabaseError) -> Snapshot {
        let events = try database.run(
            """
            SELECT source, run, sequence, time, value, done, results, place FROM unsettled
            ORDER BY place, time, sequence
            """)
        let states = try database.run("SELECT node, content, run, cells FROM state")
        return Snapshot(
            events: try read(events, of: "unsettled") { UnsettledEvent(row: $0) },
            nodes: Dictionary(try read(states, of: "state") { NodeState.read(row: $0) }) { $1 },
            sinks: try sinks(in: database))
    }

    /// The names of sinks, by pipeline.
    static func sinks(in database: Database) throws(DatabaseError) -> [String: SinkNames] {
        let rows = try database.run("SELECT pipeline, kind, number, isRemoved, content FROM sinks ORDER BY place")
        return SinkNames.read(rows: rows)
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

    /// The notes since the last snapshot.
    static func notes(in database: Database) throws(DatabaseError) -> [FinishedNote] {
        try read(try database.run("SELECT id, source, done FROM finished"), of: "finished") { FinishedNote(row: $0) }
    }

    private static func read<Value>(
        _ rows: [[DatabaseValue]], of table: String, _ decode: ([DatabaseValue]) -> Value?
    ) throws(DatabaseError) -> [Value] {
        let values = rows.compactMap(decode)
        if values.count == rows.count { return values }
        throw .damage("\(counted(rows.count - values.count, "row")) of '\(table)' cannot be read")
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
