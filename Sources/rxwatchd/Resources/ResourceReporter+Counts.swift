import RxControl
import RxEngine
import RxJSON
import RxPipelines

// The numbers of live objects that `rxwatchctl resources` shows.
extension ResourceReporter {
    /// The answer to `rxwatchctl resources`: a table by the owner of the objects, and one by the operator.
    func counts() -> ControlAnswer {
        guard let generation = running else { return .nothingRuns }
        guard Resources.isTraced else {
            return ControlAnswer(
                "this daemon counts no objects: build it with the trait TRACE_RESOURCES", exitCode: ExitCode.failure)
        }
        let leaks = leaks.withLock(\.self)
        var owners = [("daemon", Resources.counts { Resources.count(of: $0) })]
        var expected: [String: ClosedRange<Int>] = [:]
        var details: JSON = ["daemon": .object(owners[0].1)]
        for (key, kind) in [("sources", GraphPicture.Node.Kind.source), ("pipelines", .pipeline)] {
            let nodes = generation.graph.picture.nodes.filter { $0.kind == kind }
            let counts = nodes.compactMap { node in
                node.account.map { account in (node.name, Resources.counts { account.count(of: $0) }) }
            }
            for node in nodes { expected["  \(kind.rawValue) \(node.name)"] = node.account.flatMap(leaks.expected) }
            details[key] = .object(counts.reduce(into: JSON.Object()) { $0[$1.0] = .object($1.1) })
            owners += counts.map { ("  \(kind.rawValue) \($0)", $1) }
        }
        let tags = Resources.tags.map { tag in (tag.name, Resources.counts { tag.count(of: $0) }) }
        details["tags"] = .object(tags.reduce(into: JSON.Object()) { $0[$1.0] = .object($1.1) })
        owners += tags.map { ("  tag \($0)", $1) }

        let operators = Operator.allCases.map { ("\($0)", Resources.counts(of: $0)) }
            .filter { $1 != Resources.OperatorCounts(observables: 0, runs: 0) }
            .sorted { ($1.1.observables + $1.1.runs, $0.0) < ($0.1.observables + $0.1.runs, $1.0) }
        details["operators"] = .object(
            operators.reduce(into: JSON.Object()) {
                $0[$1.0] = ["observables": .number(Double($1.1.observables)), "runs": .number(Double($1.1.runs))]
            })

        let kinds = owners[0].1.members.map(\.key)
        let rows = owners.map { name, counts in
            let limits = expected[name].map { "\($0.lowerBound)..\($0.upperBound)" } ?? ""
            return [name] + kinds.map { "\(counts[$0] ?? 0)" } + [limits]
        }
        details["expectedSubscriptions"] = .object(
            generation.graph.accounts.reduce(into: JSON.Object()) { object, account in
                guard let range = leaks.expected(account) else { return }
                object[account.name] = [.number(Double(range.lowerBound)), .number(Double(range.upperBound))]
            })
        let operatorRows = operators.map { ["  \($0)", "\($1.observables)", "\($1.runs)"] }
        let lines =
            Self.table([["live objects"] + kinds + ["expected subscriptions"]] + rows) + [""]
            + Self.table([["operators", "observables", "running"]] + operatorRows)
        return ControlAnswer(lines.joined(separator: "\n"), details: details)
    }

    /// The rows with aligned columns: names on the left, numbers on the right.
    private static func table(_ rows: [[String]]) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                return column == 0 ? row[column] + padding : padding + row[column]
            }
            .joined(separator: "  ")
        }
    }
}
