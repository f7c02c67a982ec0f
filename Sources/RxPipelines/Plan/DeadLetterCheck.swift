import RxDiagnostics

/// Checks the routes of `onError: { to: … }`.
struct DeadLetterCheck {
    private let drafts: [(name: String, draft: PipelineDraft)]
    private let report: Report

    init(_ drafts: [(name: String, draft: PipelineDraft)], _ report: Report) {
        self.drafts = drafts
        self.report = report
    }

    /// Reports `from: onError` that no pipeline routes to, and routes that form a cycle
    func check() {
        let targets = Set(drafts.flatMap { $0.draft.onError.pipelines.map(\.text) })
        for (name, draft) in drafts where !targets.contains(name) {
            guard let place = draft.inputs.failuresPlace else { continue }
            report.add(
                "no pipeline has 'onError: { to: \(name) }', so '\(name)' would receive nothing; add it to one",
                at: place)
        }
        if targets.isEmpty { return }
        // Topological sorting: pipelines without incoming edges are removed until only cycles, and what follows them, remain.
        var comesFrom: [String: Set<String>] = Dictionary(uniqueKeysWithValues: drafts.map { ($0.name, []) })
        var leadsTo: [String: [String]] = [:]
        for (name, draft) in drafts {
            let edges =
                draft.possibleReferences.map { ($0.text, name) } + draft.onError.pipelines.map { (name, $0.text) }
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
        for (name, draft) in drafts where comesFrom[name] != nil {
            guard let target = draft.onError.pipelines.first(where: { comesFrom[$0.text] != nil }) else { continue }
            report.add(
                "failed events of '\(name)' go to '\(target.text)' and from there back to '\(name)', in a cycle; choose another "
                    + "pipeline or a sink", at: target.location)
            return
        }
    }
}
