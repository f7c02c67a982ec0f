import RxControl
import RxDiagnostics

/// The lines that `rxwatchctl try` and `rxwatchctl replay` print: a time, a node and what has happened, in columns.
struct TrialTable {
    /// The number of columns of the terminal, to which lines are cut; `nil` for whole lines.
    var columns: Int?

    /// What one line shows.
    private struct Row: Equatable {
        let time: String
        let node: String
        let text: String
        /// Whether the end of the text may be missing: it is a value, and no reason.
        let isValue: Bool

        init(_ entry: Trial.Entry) {
            (time, node, text) = (entry.shownTime, entry.node, entry.text)
            isValue =
                switch entry.kind {
                case .emitted, .action, .started: true
                case .failed, .idle, .withheld, .uncombined: false
                }
        }
    }

    /// The entries, one below the other.
    func lines(_ entries: [Trial.Entry]) -> [String] { shown(entries.map { ("", Row($0)) }) }

    /// The entries of two trials: `-` marks those that only the old one has, and `+` those that only the new one has.
    ///
    /// - Returns: the lines, and how many of them are marked.
    func difference(of new: [Trial.Entry], from old: [Trial.Entry]) -> (lines: [String], count: Int) {
        let (before, after) = (old.map(Row.init), new.map(Row.init))
        let difference = after.difference(from: before)
        var removed = Set<Int>(), inserted = Set<Int>()
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var rows: [(mark: String, row: Row)] = []
        var (index, next) = (0, 0)
        while index < before.count || next < after.count {
            if removed.contains(index), index < before.count {
                rows.append(("- ", before[index]))
                index += 1
            } else if inserted.contains(next), next < after.count {
                rows.append(("+ ", after[next]))
                next += 1
            } else {
                rows.append(("  ", after[next]))
                (index, next) = (index + 1, next + 1)
            }
        }
        return (shown(rows), difference.count)
    }

    /// The rows in columns that are as wide in each of them.
    private func shown(_ rows: [(mark: String, row: Row)]) -> [String] {
        let widths = (rows.map(\.row.time.count).max() ?? 0, rows.map(\.row.node.count).max() ?? 0)
        return rows.map { mark, row in
            let head = "\(mark)\(row.time.padded(to: widths.0))  \(row.node.padded(to: widths.1))  "
            let line = head + row.text.shortenedForLine.shownOnTerminal(indentedBy: head.count)
            // What differs may be at the end of a value.
            guard let columns, row.isValue, mark.allSatisfy({ $0 == " " }) else { return line }
            return line.cut(to: columns)
        }
    }
}

extension Trial.Entry {
    /// Why nothing was emitted without the events of other nodes, and what to do.
    private static func reason(_ silent: [String]) -> String {
        "\(silent.map { "'\($0)'" }.joined(separator: " and ")) emitted no event; give one to rxwatchctl try with "
            + silent.map { "--with \($0)=JSON" }.joined(separator: " ") + ", or record it, too"
    }

    var shownTime: String { time == 0 ? "0s" : SystemdDuration.format(.microseconds(time)) }

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

extension String {
    /// The text, or its beginning if it is longer than a screen.
    fileprivate var shortenedForLine: String {
        utf8.count <= 4096 ? self : "\(prefix(4000))… (\(utf8.count) bytes)"
    }

    /// The text with an ellipsis at the end of each line that is longer than this many characters.
    fileprivate func cut(to columns: Int) -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).cut(toColumns: columns) }.joined(separator: "\n")
    }
}
