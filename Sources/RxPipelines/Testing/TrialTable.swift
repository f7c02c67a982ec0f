import RxControl
import RxDiagnostics

/// The lines that `rxwatchctl try` and `rxwatchctl replay` print: a time, a node and what has happened, in columns.
struct TrialTable {
    /// The number of columns of the terminal, to which lines are cut; `nil` for whole lines.
    var columns: Int?

    /// What one line shows.
    private struct Row: Equatable {
        /// In microseconds.
        let time: Int
        let node: String
        let text: String
        /// Whether a part of the text may be missing: it is a value, and no reason.
        let isValue: Bool

        init(_ entry: Trial.Entry) {
            (time, node, text) = (entry.time, entry.node, entry.text)
            isValue =
                switch entry.kind {
                case .emitted, .action, .started: true
                case .failed, .idle, .withheld, .uncombined: false
                }
        }
    }

    /// A part of the table.
    private enum Part {
        /// A row, with its mark, and the index of the first character that differs from the row in whose place it is.
        case row(Row, mark: String, firstDifferent: Int? = nil)
        /// A number of rows that are not shown.
        case equal(Int)
    }

    /// The entries, one below the other.
    func lines(_ entries: [Trial.Entry]) -> [String] { shown(entries.map { .row(Row($0), mark: "") }) }

    /// The entries of two trials that differ, with some before and after them.
    ///
    /// `-` marks those that only the old one has, and `+` those that only the new one has.
    ///
    /// - Returns: the lines, and how many of them are marked.
    func difference(of new: [Trial.Entry], from old: [Trial.Entry]) -> (lines: [String], count: Int) {
        let (before, after) = (old.map(Row.init), new.map(Row.init))
        let changes = after.difference(from: before)
        var removed = Set<Int>(), inserted = Set<Int>()
        for change in changes {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var parts: [Part] = []
        /// Rows that are equal, since the last that differ.
        var equal: [Row] = []
        var (index, next) = (0, 0)
        while index < before.count || next < after.count {
            var (old, new): ([Row], [Row]) = ([], [])
            while index < before.count, removed.contains(index) {
                old.append(before[index])
                index += 1
            }
            while next < after.count, inserted.contains(next) {
                new.append(after[next])
                next += 1
            }
            if old.isEmpty && new.isEmpty {
                equal.append(after[next])
                (index, next) = (index + 1, next + 1)
                continue
            }
            parts += Self.equalLines(equal, isFirst: parts.isEmpty, isLast: false) + Self.marked(old, new)
            equal = []
        }
        parts += Self.equalLines(equal, isFirst: parts.isEmpty, isLast: true)
        // Rows that differ in their time must not look the same.
        func countOfSame(_ decimals: Int) -> Int {
            func texts(_ rows: [Row], _ indices: Set<Int>) -> Set<String> {
                Set(indices.map { "\(rows[$0].time.inSeconds(decimals)) \(rows[$0].node) \(rows[$0].text)" })
            }
            return texts(before, removed).intersection(texts(after, inserted)).count
        }
        return (shown(parts, decimals: countOfSame(3) > countOfSame(6) ? 6 : 3), changes.count)
    }

    /// The number of equal rows that are shown before and after those that differ.
    private static let shownContext = 3

    /// The equal rows between two differences, or before the first or after the last one, of which those far from a
    /// difference are only counted.
    private static func equalLines(_ rows: [Row], isFirst: Bool, isLast: Bool) -> [Part] {
        let (after, before) = (isFirst ? 0 : shownContext, isLast ? 0 : shownContext)
        let hidden = rows.count - after - before
        // The count takes a line, too.
        guard hidden > 1 else { return rows.map { .row($0, mark: "  ") } }
        return rows.prefix(after).map { .row($0, mark: "  ") } + [.equal(hidden)]
            + rows.suffix(before).map { .row($0, mark: "  ") }
    }

    /// Rows in place of which there are others.
    private static func marked(_ old: [Row], _ new: [Row]) -> [Part] {
        var counterparts = Dictionary(grouping: new.indices) { new[$0].node }.mapValues { $0[...] }
        var firstDifferences: [Int: Int] = [:]
        let removed = old.map { row -> Part in
            let counterpart = counterparts[row.node]?.popFirst()
            let firstDifferent = counterpart.map { zip(row.text, new[$0].text).prefix { $0 == $1 }.count }
            if let counterpart { firstDifferences[counterpart] = firstDifferent }
            return .row(row, mark: "- ", firstDifferent: firstDifferent)
        }
        return removed + new.enumerated().map { .row($1, mark: "+ ", firstDifferent: firstDifferences[$0]) }
    }

    /// The rows in columns that are as wide in each of them.
    private func shown(_ parts: [Part], decimals: Int = 3) -> [String] {
        let rows = parts.compactMap { if case .row(let row, _, _) = $0 { row } else { nil } }
        let times = rows.map { $0.time.inSeconds(decimals).count }.max() ?? 0
        let nodes = rows.map(\.node.count).max() ?? 0
        return parts.map { part in
            switch part {
            case .equal(let count): return "  (\(counted(count, "equal line")))"
            case .row(let row, let mark, let firstDifferent):
                let time = row.time.inSeconds(decimals)
                let padding = String(repeating: " ", count: times - time.count)
                let head = "\(mark)\(padding)\(time)  \(row.node.padded(to: nodes))  "
                guard let columns, row.isValue else {
                    return head + row.text.shortenedForLine.shownOnTerminal(indentedBy: head.count)
                }
                let text = row.text.from(firstDifferent ?? 0, in: columns - head.count)
                let line = head + text.shortenedForLine.shownOnTerminal(indentedBy: head.count)
                return line.cutLines(toColumns: columns)
            }
        }
    }
}

extension Trial.Entry {
    /// Why nothing was emitted without the events of other nodes, and what to do.
    private static func reason(_ silent: [String]) -> String {
        "\(silent.map { "'\($0)'" }.joined(separator: " and ")) emitted no event; give one to rxwatchctl try with "
            + silent.map { "--with \($0)=JSON" }.joined(separator: " ") + ", or record it, too"
    }

    /// The time as in the table.
    var shownTime: String { time.inSeconds() }

    fileprivate var text: String {
        switch kind {
        case .emitted(let value): "\(value)"
        case .action(let action): "would \(action.text)"
        case .started(let source): "would start a source: \(source)"
        case .failed(let message): "failed: \(message)"
        case .idle(let reason): "does not run: \(reason)"
        case .withheld(let step, let location, let count, let silent):
            "'\(step)'\(location.isEmpty ? "" : " at \(location)") passed none of \(counted(count, "event"))"
                + (silent.isEmpty ? "" : ": \(Self.reason(silent))")
        case .uncombined(let combination, let silent):
            "'\(combination)' emitted nothing: \(Self.reason(silent))"
        }
    }
}

extension Int {
    /// The microseconds as seconds with this number of decimals: `2.040s`.
    fileprivate func inSeconds(_ decimals: Int = 3) -> String {
        let unit = decimals == 3 ? 1_000 : 1
        let perSecond = 1_000_000 / unit
        // Rounds without an addition that may overflow.
        let count = self / unit + (self % unit * 2 >= unit && unit > 1 ? 1 : 0)
        let fraction = String(count % perSecond)
        return "\(count / perSecond).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)s"
    }
}

extension String {
    /// The text, or its beginning if it is longer than a screen.
    fileprivate var shortenedForLine: String {
        utf8.count <= 4096 ? self : "\(prefix(4000))… (\(utf8.count) bytes)"
    }

    /// The text, without so much of its beginning that the character at an index is among the first `width`.
    fileprivate func from(_ index: Int, in width: Int) -> String {
        guard width > 0, index >= width * 2 / 3, count > width else { return self }
        return "…\(dropFirst(index - width / 3))"
    }

    /// The text with an ellipsis at the end of each line that is longer than this many characters.
    fileprivate func cutLines(toColumns columns: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).cut(toColumns: columns) }.joined(separator: "\n")
    }
}
