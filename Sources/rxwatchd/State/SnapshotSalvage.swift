import RxPipelines
import RxStore

/// Copies the readable rows of a damaged database of unsettled events and state to a new one.
///
/// A damaged page ends every query that reaches it, so each table is read from both ends.
struct SnapshotSalvage {
    private let damaged: Database
    private let new: Database
    private let limits: StateLimits

    init(_ damaged: Database, _ new: Database, _ limits: StateLimits) {
        (self.damaged, self.new, self.limits) = (damaged, new, limits)
    }

    /// Copies all tables.
    ///
    /// - Returns: what was copied, in words.
    func run() throws(DatabaseError) -> String {
        let events = try copy("unsettled", orderedBy: ["source", "run", "sequence"]) {
            UnsettledEvent(
                row: [
                    $0["source"], $0["run"], $0["sequence"], $0["time"], $0["value"], $0["done"],
                    $0["results"], $0["place"],
                ].map { $0 ?? .null }) != nil
        }
        let nodes = try copy("state", orderedBy: ["node"]) {
            NodeState.read(row: [$0["node"], $0["content"], $0["run"], $0["cells"]].map { $0 ?? .null }) != nil
        }
        try copy("finished", orderedBy: ["id"]) {
            ProgressNote(row: [$0["id"], $0["source"], $0["done"]].map { $0 ?? .null }) != nil
        }
        try copy("sinks", orderedBy: ["pipeline", "kind", "number"]) { _ in true }
        return "\(counted(events, "unsettled event")) and the state of \(counted(nodes, "node")) are kept"
    }

    /// Copies the rows of a table that can be read and are sound.
    ///
    /// - Parameters:
    ///   - table: the name of the table.
    ///   - key: the columns of its primary key.
    ///   - isSound: whether a row, by the names of its columns, can be decoded.
    /// - Returns: the number of rows in the new table.
    @discardableResult
    private func copy(
        _ table: String, orderedBy key: [String], if isSound: ([String: DatabaseValue]) -> Bool
    ) throws(DatabaseError) -> Int {
        let wanted = try new.run("SELECT name FROM pragma_table_info('\(table)')").compactMap { $0.first?.text }
        // Earlier versions had fewer columns.
        let columns = wanted.filter { (try? damaged.run("SELECT \($0) FROM \(table) LIMIT 0")) != nil }
        guard Set(columns).isSuperset(of: key) else { return 0 }
        let names = columns.joined(separator: ", ")
        for order in ["", " DESC"] {
            let place = key.map { $0 + order }.joined(separator: ", ")
            let values = columns.map { _ in "?" }.joined(separator: ", ")
            let insertion = "INSERT OR IGNORE INTO \(table) (\(names)) VALUES (\(values))"
            var batch = SalvageBatch()
            let result = Result { () throws(DatabaseError) in
                try damaged.read("SELECT \(names) FROM \(table) ORDER BY \(place)") { row throws(DatabaseError) in
                    guard StateLimits.memory(of: row) <= limits.values,
                        isSound(Dictionary(zip(columns, row)) { first, _ in first })
                    else { return true }
                    batch.add(row)
                    if batch.isFull { try new.transaction([(insertion, batch.takeAll())]) }
                    return true
                }
            }
            try new.transaction([(insertion, batch.takeAll())])
            if case .success = result { break }
        }
        return Int(try new.run("SELECT count(*) FROM \(table)").first?.first?.integer ?? 0)
    }
}

/// Rows of a damaged database that are copied in one transaction.
struct SalvageBatch {
    /// The most rows, and their size in bytes from which no further ones are added.
    private static let maximum = (rows: 1000, size: 4 << 20)

    private(set) var rows: [[DatabaseValue]] = []
    private var size = 0

    var isFull: Bool { rows.count >= Self.maximum.rows || size >= Self.maximum.size }

    mutating func add(_ row: [DatabaseValue]) {
        rows.append(row)
        size += row.reduce(0) { $0 + ($1.blob?.count ?? 0) + ($1.text?.utf8.count ?? 0) }
    }

    mutating func takeAll() -> [[DatabaseValue]] {
        defer { self = SalvageBatch() }
        return rows
    }
}
