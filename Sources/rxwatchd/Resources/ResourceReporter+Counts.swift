import RxControl
import RxEngine
import RxJSON
import RxPipelines

// The numbers of live objects that `rxwatchctl resources` shows.
extension ResourceReporter {
    /// The answer to `rxwatchctl resources`: a table by the owner of the objects, one by the operator, and one of the
    /// steps that have subscriptions by the plan.
    func counts() -> ControlAnswer {
        guard let generation = running else { return .nothingRuns }
        guard Resources.isTraced else {
            return ControlAnswer(
                "this daemon counts no objects: build it with the trait TRACE_RESOURCES", exitCode: ExitCode.failure)
        }
        let leaks = leaks.withLock(\.self)
        var owners = [("daemon", Resources.counts { Resources.count(of: $0) })]
        let predictions = generation.graph.expectedSubscriptions
        let expected = Dictionary(
            predictions.map { ("  pipeline \($0.account.name)", Self.text(of: $0, leaks)) }
        ) { first, _ in first }
        var details: JSON = ["daemon": .object(owners[0].1)]
        for (key, kind) in [("sources", GraphPicture.Node.Kind.source), ("pipelines", .pipeline)] {
            let nodes = generation.graph.picture.nodes.filter { $0.kind == kind }
            let counts = nodes.compactMap { node in
                node.account.map { account in (node.name, Resources.counts { account.count(of: $0) }) }
            }
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
            [name] + kinds.map { "\(counts[$0] ?? 0)" } + [expected[name] ?? ""]
        }
        details["expectedSubscriptions"] = .object(
            predictions.reduce(into: JSON.Object()) { object, prediction in
                guard let maximum = Self.maximum(of: prediction, leaks) else { return }
                object[prediction.account.name] = [.number(Double(prediction.total)), .number(Double(maximum))]
            })
        details["expectedSteps"] = .object(
            predictions.reduce(into: JSON.Object()) { object, prediction in
                object[prediction.account.name] = .array(
                    prediction.steps.map {
                        [
                            "step": .string($0.name), "subscriptions": .number(Double($0.count)),
                            "varies": .bool($0.varies),
                        ]
                    })
            })
        let stepRows = predictions.flatMap { prediction in
            prediction.steps.enumerated().filter { $1.count > 0 || $1.varies }.map { index, step in
                [
                    "  \(prediction.account.name)/\(index + 1) \(step.name)",
                    "\(step.count)\(step.varies ? ", varies" : "")",
                ]
            }
        }
        let operatorRows = operators.map { ["  \($0)", "\($1.observables)", "\($1.runs)"] }
        let tables =
            [
                [["live objects"] + kinds + ["expected subscriptions"]] + rows,
                [["operators", "observables", "running"]] + operatorRows,
            ] + (stepRows.isEmpty ? [] : [[["steps", "expected subscriptions"]] + stepRows])
        let lines = tables.map(Self.table).joined(separator: [""])
        return ControlAnswer(lines.joined(separator: "\n"), details: details)
    }

    /// The most subscriptions that a pipeline may have; `nil` if that depends on its events.
    private static func maximum(of prediction: ExpectedSubscriptions, _ leaks: LeakWatch) -> Int? {
        prediction.varies ? nil : leaks.maximum(LeakWatch.Expectation(prediction))
    }

    /// The prediction as the table shows it: that of the plan, and the most with working sinks.
    private static func text(of prediction: ExpectedSubscriptions, _ leaks: LeakWatch) -> String {
        maximum(of: prediction, leaks).map { "\(prediction.total)..\($0)" } ?? "\(prediction.total), varies"
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
