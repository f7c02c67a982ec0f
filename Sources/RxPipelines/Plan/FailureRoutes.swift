/// Where events go that pipelines fail on.
struct FailureRoutes {
    private let drafts: [(name: String, draft: PipelineDraft)]
    private let report: Report

    init(_ drafts: [(name: String, draft: PipelineDraft)], _ report: Report) {
        self.drafts = drafts
        self.report = report
    }

    /// Reports what nobody sends anything to, and what would come back to where it failed, perhaps to fail again.
    func check() {
        let targets = Set(drafts.flatMap { $0.draft.onError.pipelines.map(\.text) })
        for (name, draft) in drafts where !targets.contains(name) {
            guard let place = draft.inputs.failuresPlace else { continue }
            report.add(
                "no pipeline sends '\(name)' what it fails on; write 'onError: { to: \(name) }' in one", at: place)
        }
        if targets.isEmpty { return }
        // Those that nothing comes from are left out, one after the other. What remains goes in circles, or leads there.
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
                "what '\(name)' fails on goes to '\(target.text)', and from there back to '\(name)': it could go round for "
                    + "ever; send it somewhere else", at: target.location)
            return
        }
    }
}
