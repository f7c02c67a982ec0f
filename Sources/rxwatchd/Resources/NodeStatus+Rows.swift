import RxControl
import RxDiagnostics
import RxEngine
import RxJSON
import RxPipelines

// The lines of a node on a terminal.
extension NodeStatus {
    /// From this number of columns on, a line has the id and the value of the last event.
    private static let wide = 120
    /// The most memory of a value whose beginning is shown, in bytes: its whole text is made.
    private static let largestValue = 1 << 16
    /// The most lines of a failure.
    private static let mostFailureLines = 3

    /// The lines for the list of all nodes: one for the node, and a few for each failure.
    ///
    /// Credentials are hidden before anything is cut: the beginning of one would not be recognized.
    ///
    /// - Parameters:
    ///   - columns: the number of columns of the terminal.
    ///   - secrets: the credentials.
    func lines(columns: Int, hiding secrets: HiddenSecrets) -> [String] {
        var row = StatusRow("  \(node.kind.rawValue)", node.name, state)
        if let last = activity.last {
            row.add("last event \(ago(last.time))", .lastEvent, cause: secrets.hidden(in: last.event.cause))
            if columns >= Self.wide { row.add(secrets.hidden(in: "id \(last.event.id)"), .id) }
        } else {
            row.add(noneOfReceived, .lastEvent)
        }
        row.add(rate, .rate)
        row.add(next, .next)
        for count in node.eventCounts { row.add(count, count.hasPrefix("0 ") ? .nothing : .waiting) }
        row.add(liveObjects, .objects)
        if columns >= Self.wide { row.add(beginningOfValue(hiding: secrets), .value, cutTo: 16) }
        return [row.text(columns: columns)] + failures.flatMap { lines(of: $0, columns: columns, hiding: secrets) }
    }

    private func beginningOfValue(hiding secrets: HiddenSecrets) -> String? {
        guard let value = node.activity?.lastValue, value.memory <= Self.largestValue else { return nil }
        let hidden = secrets.hidden(in: value)
        return "value \((ResponseSummary(hidden)?.text ?? "\(hidden)").shortened)"
    }

    private func lines(
        of failure: NodeActivity.Failure, columns: Int, hiding secrets: HiddenSecrets
    ) -> [String] {
        let lines = secrets.hidden(in: line(of: failure)).replacing("\t", with: " ")
            .split(separator: "\n").flatMap { "    \($0)".wrapped(toColumns: columns) }
            .map { $0.cut(toColumns: columns) }
        guard lines.count > Self.mostFailureLines, let last = lines.last else { return lines }
        // The end of a message says why, so lines of its middle are left out.
        let end = "    … \(last.drop { $0 == " " })".cut(toColumns: columns)
        return lines.prefix(Self.mostFailureLines - 1) + [end]
    }
}
