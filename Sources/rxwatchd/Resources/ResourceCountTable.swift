import RxDiagnostics

/// A table of names on the left and numbers on the right, which fits on a terminal.
struct ResourceCountTable {
    /// A line of the table.
    struct Row {
        /// The name, and the numbers.
        let cells: [String]
        /// The word at the end of the line; empty for none.
        var mark = ""
    }

    /// The narrowest column of names that is worth a further number.
    private static let leastName = 24

    /// The headings, and the rows.
    let rows: [Row]
    /// The columns that are left out on a narrow terminal, the first one first.
    var optional: [Int] = []

    /// The lines with aligned columns, each of at most this many columns, unless one number needs more; `nil` for any.
    func lines(columns: Int?) -> [String] {
        var shown = Array((rows.first?.cells ?? []).indices)
        guard !shown.isEmpty else { return [] }
        let widths = shown.map { column in rows.map { $0.cells[column].count }.max() ?? 0 }
        let mark = rows.map { $0.mark.isEmpty ? 0 : $0.mark.count + 2 }.max() ?? 0
        func room() -> Int {
            columns.map { $0 - mark - shown.dropFirst().reduce(0) { $0 + widths[$1] + 2 } } ?? .max
        }
        for column in optional where room() < min(widths[0], Self.leastName) { shown.removeAll { $0 == column } }
        let name = min(widths[0], max(room(), 8))
        return rows.map { row in
            // No spaces at the end of the line.
            var shown = shown.dropFirst()
            if row.mark.isEmpty { while let last = shown.last, row.cells[last].isEmpty { shown.removeLast() } }
            let numbers = shown.map { column in
                "  " + String(repeating: " ", count: widths[column] - row.cells[column].count) + row.cells[column]
            }
            return row.cells[0].cutInside(toColumns: name).padded(to: name) + numbers.joined()
                + (row.mark.isEmpty ? "" : "  \(row.mark)")
        }
    }
}
