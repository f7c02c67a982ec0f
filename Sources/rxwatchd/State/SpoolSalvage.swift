import RxStore

/// Copies the readable rows of a damaged spool database to a new one.
///
/// A damaged page hides the rows in it, and ends every query that reaches it. So ranges of numbers that cannot be read
/// are halved, wide ones first, until those that are left have one number each, or too many queries have failed.
struct SpoolSalvage {
    /// The largest number of ranges, each of which may fail once.
    private static let maximum = 20_000

    private let damaged: Database
    private let new: Database
    private let columns: String
    private var isWhole = true

    init(_ damaged: Database, _ new: Database) {
        self.damaged = damaged
        self.new = new
        let later = SpoolDatabase.laterColumns.map(\.0).filter {
            (try? damaged.run("SELECT \($0) FROM spool LIMIT 0")) != nil
        }
        columns = (["number, sink, source, run, sequence, suffix, ordinal, time, value"] + later)
            .joined(separator: ", ")
    }

    /// Copies all rows that can be read.
    ///
    /// - Returns: how many events are kept and lost, in words.
    mutating func run() throws(DatabaseError) -> String {
        var ranges: [(low: Int64, high: Int64)] = [(1, highest)]
        var next = 0
        while next < ranges.count {
            let range = ranges[next]
            next += 1
            guard let low = try copy(from: range.low, to: range.high) else { continue }
            isWhole = false
            guard low < range.high, ranges.count < Self.maximum else { continue }
            let middle = low + (range.high - low) / 2
            ranges += [(low, middle), (middle + 1, range.high)]
        }
        return try summary()
    }

    /// An upper bound of the numbers of rows.
    private var highest: Int64 {
        let queries = [
            "SELECT seq FROM sqlite_sequence WHERE name = 'spool'", "SELECT max(number) FROM spool",
            "SELECT max(number) FROM spool INDEXED BY by_sink",
        ]
        return queries.compactMap { (try? damaged.run($0))?.first?.first?.integer }.max() ?? 1 << 32
    }

    /// Copies rows of a range, up to one that cannot be read.
    ///
    /// - Returns: a number at or before that row; `nil` if all could be read.
    private func copy(from low: Int64, to high: Int64) throws(DatabaseError) -> Int64? {
        var low = low
        while low <= high {
            var batch = SalvageBatch()
            let result = Result { () throws(DatabaseError) in
                try damaged.read(
                    "SELECT \(columns) FROM spool NOT INDEXED WHERE number BETWEEN ? AND ? ORDER BY number",
                    .integer(low), .integer(high)
                ) { row in
                    batch.add(row)
                    return !batch.isFull
                }
            }
            let (rows, isLast) = (batch.rows, !batch.isFull)
            let values = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
            // A damaged row may have no sink or no value: it is skipped.
            try new.transaction([("INSERT OR IGNORE INTO spool (\(columns)) VALUES (\(values))", rows)])
            if let last = rows.last?.first?.integer {
                // Nothing follows the highest number.
                guard last < high else { return nil }
                low = last + 1
            }
            if case .failure = result { return low }
            if isLast { return nil }
        }
        return nil
    }

    private func summary() throws(DatabaseError) -> String {
        let saved = try Self.counts(new.run("SELECT sink, count(*) FROM spool GROUP BY sink"))
        let total = saved.values.reduce(0, +)
        if isWhole { return "all of its \(total) events are kept" }
        let known = try? damaged.run("SELECT sink, count(*) FROM spool INDEXED BY by_sink GROUP BY sink")
        guard let known else {
            return "\(total) of its events are kept; the number of lost events is unknown"
        }
        let lost = Self.counts(known).map { ($0, $1 - saved[$0, default: 0]) }.filter { $0.1 > 0 }
            .sorted { $0.0 < $1.0 }
        let sinks = lost.map { "\($0): \($1)" }.joined(separator: ", ")
        return "\(total) of its events are kept, and \(lost.reduce(0) { $0 + $1.1 }) are lost (\(sinks))"
    }

    private static func counts(_ rows: [[DatabaseValue]]) -> [String: Int64] {
        Dictionary(rows.compactMap { row in row.first?.text.map { ($0, row.last?.integer ?? 0) } }) { $0 + $1 }
    }
}
