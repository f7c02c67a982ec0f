import RxControl
import RxEngine
import RxJSON
import RxPipelines

// The numbers of live objects that `rxwatchctl resources` shows.
extension ResourceReporter {
    /// The answer to `rxwatchctl resources`: what is not as expected, a table by the owner of the objects, one by the
    /// operator, and one of the steps that have subscriptions by the plan.
    ///
    /// - Parameter columns: the number of columns in which each line must fit; `nil` for any.
    func counts(columns: Int? = nil) -> ControlAnswer {
        guard let generation = running else { return .nothingRuns }
        guard Resources.isTraced else {
            return ControlAnswer(
                "this daemon counts no objects: build it with the trait TRACE_RESOURCES", exitCode: ExitCode.failure)
        }
        let (watch, leaks) = (leaks.withLock(\.self), knownLeaks)
        var owners = [("daemon", Resources.counts { Resources.count(of: $0) })]
        let predictions = generation.graph.expectedSubscriptions
        let comparisons = predictions.map { SubscriptionComparison($0, maximum: Self.maximum(of: $0, watch), leaks) }
        let compared = Dictionary(comparisons.map { ("  pipeline \($0.name)", $0) }) { first, _ in first }
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
            ResourceCountTable.Row(
                cells: [name] + kinds.map { "\(counts[$0] ?? 0)" } + [compared[name]?.expected ?? ""],
                mark: compared[name]?.mark ?? "")
        }
        details["leaks"] = .array(leaks.map(\.json))
        details["expectedSubscriptions"] = .object(
            predictions.reduce(into: JSON.Object()) { object, prediction in
                guard let maximum = Self.maximum(of: prediction, watch) else { return }
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
                ResourceCountTable.Row(cells: [
                    "  \(prediction.account.name)/\(index + 1) \(step.name)",
                    "\(step.count)\(step.varies ? ", varies" : "")",
                ])
            }
        }
        let operatorRows = operators.map {
            ResourceCountTable.Row(cells: ["  \($0)", "\($1.observables)", "\($1.runs)"])
        }
        let headings = ["live objects"] + kinds.map { Self.headings[$0] ?? $0 } + ["expected"]
        // The total, the subscriptions and what is expected of them stay.
        let optional = ["timers", "subjects", "disposables", "observables"].compactMap { name in
            kinds.firstIndex(of: name).map { $0 + 1 }
        }
        var tables = [
            ResourceCountTable(rows: [ResourceCountTable.Row(cells: headings)] + rows, optional: optional),
            ResourceCountTable(
                rows: [ResourceCountTable.Row(cells: ["operators", "observables", "running"])] + operatorRows),
        ]
        if !stepRows.isEmpty {
            tables.append(
                ResourceCountTable(
                    rows: [ResourceCountTable.Row(cells: ["steps", "expected subscriptions"])] + stepRows))
        }
        let summary = (leaks.map(\.text) + [SubscriptionComparison.summary(of: comparisons)].compactMap(\.self))
            .flatMap { line in columns.map { line.wrapped(toColumns: $0) } ?? [line] }
        let lines = ([summary] + tables.map { $0.lines(columns: columns) }).joined(separator: [""])
        return ControlAnswer(lines.joined(separator: "\n"), details: details)
    }

    /// The headings of the kinds of objects, short enough for all of them beside a name.
    private static let headings = [
        "observables": "obs", "subscriptions": "subs", "disposables": "disp", "subjects": "subj",
    ]

    /// Returns the expected range of subscriptions of each pipeline whose number does not vary.
    func expectedRanges(_ generation: Generation) -> [String: ClosedRange<Int>] {
        let watch = leaks.withLock(\.self)
        return generation.graph.expectedSubscriptions.reduce(into: [:]) { ranges, prediction in
            guard let maximum = Self.maximum(of: prediction, watch) else { return }
            ranges[prediction.account.name] = prediction.total...max(prediction.total, maximum)
        }
    }

    /// The most subscriptions that a pipeline may have; `nil` if that depends on its events.
    private static func maximum(of prediction: ExpectedSubscriptions, _ leaks: LeakWatch) -> Int? {
        prediction.varies ? nil : leaks.maximum(prediction)
    }
}
