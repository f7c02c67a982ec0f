import RxDiagnostics

/// The columns of the table of `rxwatchctl top` that a terminal has room for, and their widths.
struct TopLayout {
    /// The columns that are shown.
    let columns: [TopColumn]
    /// The width of each of them.
    private let widths: [Int]

    /// The narrowest column of names, for which other columns are left out.
    private static let leastName = 24
    /// The columns that are left out where names have no room, the first one first. That of dropped events stays, since
    /// they are lost, and that of received ones, which shows a pipeline whose steps pass nothing on.
    private static let optional: [TopColumn] = [.live, .kind, .rate, .waiting]
    private static let gap = "  "
    private static let mark = 2

    /// - Parameters:
    ///   - nodes: the nodes of the table.
    ///   - now: the time, in seconds since 1970.
    ///   - sort: the column that the table is sorted by, which is not left out.
    ///   - width: the number of columns of the terminal.
    init(_ nodes: [TopNode], at now: Double, sortedBy sort: TopColumn, _ width: Int) {
        var shown = TopColumn.allCases.filter { width >= 100 || !$0.isWide }
        var widths = shown.map { column in
            let heading = column.heading.count + (column == sort ? 1 : 0)
            return nodes.reduce(heading) { max($0, column.text(of: $1, at: now).count) }
        }
        let longest = widths[0]
        func room() -> Int {
            width - Self.mark - Self.gap.count - widths.dropFirst().reduce(0) { $0 + Self.gap.count + $1 }
        }
        for column in Self.optional where column != sort && room() < min(longest, Self.leastName) {
            guard let index = shown.firstIndex(of: column) else { continue }
            shown.remove(at: index)
            widths.remove(at: index)
        }
        widths[0] = min(longest, max(room(), Self.leastName))
        (columns, self.widths) = (shown, widths)
    }

    /// The texts of a row as they are shown, and its line.
    func row(_ mark: String, _ texts: [String]) -> (cells: [String], text: String) {
        var cells = texts
        if let name = cells.first { cells[0] = name.cutInside(toColumns: widths[0]) }
        let parts = columns.indices.map { index in
            let spaces = String(repeating: " ", count: max(0, widths[index] - cells[index].count))
            return columns[index].isText ? cells[index] + spaces : spaces + cells[index]
        }
        return ([mark] + cells, ([mark.padded(to: Self.mark)] + parts).joined(separator: Self.gap))
    }
}
