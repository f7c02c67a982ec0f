import RxDiagnostics
import RxPipelines

/// The first line of `rxwatchctl status`: how many nodes fail, and which.
enum FailureHeadline {
    /// The number of columns where the terminal's is not known.
    static let columns = 120

    /// The line, which names as many nodes as fit: `2 of 14 nodes fail: cert, api`.
    ///
    /// - Parameters:
    ///   - failing: the names of the nodes that fail.
    ///   - count: the number of all nodes.
    ///   - columns: the longest line.
    static func text(_ failing: [String], of count: Int, columns: Int) -> String {
        let head = "\(failing.count) of \(counted(count, "node")) \(failing.count == 1 ? "fails" : "fail")"
        guard let first = failing.first else { return head }
        let whole = "\(head): \(failing.joined(separator: ", "))"
        if whole.count <= columns { return whole }
        var (line, rest) = ("\(head): \(first)", failing.dropFirst())
        while let name = rest.first {
            let longer = "\(line), \(name)"
            guard "\(longer)\(more(rest.count - 1))".count <= columns else { break }
            (line, rest) = (longer, rest.dropFirst())
        }
        return "\(line)\(more(rest.count))".cut(toColumns: columns)
    }

    private static func more(_ count: Int) -> String { count == 0 ? "" : " and \(count) more" }
}
