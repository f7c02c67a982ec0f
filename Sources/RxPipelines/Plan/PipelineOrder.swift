/// Puts pipelines in an order in which each comes after the one it starts from.
struct PipelineOrder {
    private enum Mark { case inProgress, done }

    private let drafts: [(name: String, draft: PipelineDraft)]
    private let report: Report
    private var marks: [String: Mark] = [:]
    private var order: [(String, PipelineDraft)] = []

    init(_ drafts: [(name: String, draft: PipelineDraft)], _ report: Report) {
        self.drafts = drafts
        self.report = report
    }

    /// The pipelines in order, or an error for each circle.
    func sorted() throws(Diagnostics) -> [(String, PipelineDraft)] {
        var copy = self
        for (name, _) in drafts { copy.visit(name, by: []) }
        try report.throwIfAny()
        return copy.order
    }

    private mutating func visit(_ name: String, by path: [String]) {
        guard let draft = drafts.first(where: { $0.name == name })?.draft, marks[name] != .done else { return }
        if marks[name] == .inProgress {
            let circle = (path.drop { $0 != name } + [name]).joined(separator: " from ")
            report.add("pipelines start from each other in a circle: \(circle)", at: draft.from.location)
            return
        }
        marks[name] = .inProgress
        visit(draft.from.text, by: path + [name])
        marks[name] = .done
        order.append((name, draft))
    }
}
