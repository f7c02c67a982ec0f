import RxDiagnostics

/// Checks the routes of `onError: { to: … }`.
struct DeadLetterCheck {
    private let builders: [(name: String, builder: PipelineBuilder)]
    private let report: Report

    init(_ builders: [(name: String, builder: PipelineBuilder)], _ report: Report) {
        self.builders = builders
        self.report = report
    }

    /// Reports each `from: onError` that no pipeline routes to, and routes that form a cycle.
    func check() {
        let targets = Set(builders.flatMap { $0.builder.onError.pipelines.map(\.text) })
        for (name, builder) in builders where !targets.contains(name) {
            guard let place = builder.inputs.failuresPlace else { continue }
            report.add(
                "no pipeline has 'onError: { to: \(name) }', so '\(name)' would never receive an event; "
                    + "add it to a pipeline",
                at: place)
        }
        if targets.isEmpty { return }
        // Topological sorting: pipelines without incoming edges are removed until only cycles, and what follows them,
        // remain.
        var comesFrom: [String: Set<String>] = Dictionary(uniqueKeysWithValues: builders.map { ($0.name, []) })
        var leadsTo: [String: [String]] = [:]
        for (name, builder) in builders {
            let edges =
                builder.possibleReferences.map { ($0.text, name) } + builder.onError.pipelines.map { (name, $0.text) }
            for (start, end) in edges where comesFrom[start] != nil {
                comesFrom[end, default: []].insert(start)
                leadsTo[start, default: []].append(end)
            }
        }
        var waiting = comesFrom.filter(\.value.isEmpty).map(\.key)
        while let name = waiting.popLast() {
            comesFrom[name] = nil
            for end in leadsTo[name] ?? [] where comesFrom[end]?.remove(name) != nil {
                if comesFrom[end]?.isEmpty == true { waiting.append(end) }
            }
        }
        guard !comesFrom.isEmpty else { return }
        for (name, builder) in builders where comesFrom[name] != nil {
            guard let target = builder.onError.pipelines.first(where: { comesFrom[$0.text] != nil }) else { continue }
            report.add(
                "failed events of '\(name)' go to '\(target.text)' and from there back to '\(name)', in a cycle; choose another "
                    + "pipeline or a sink", at: target.location)
            return
        }
    }
}
