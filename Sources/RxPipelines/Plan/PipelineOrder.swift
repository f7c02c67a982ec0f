/// Puts pipelines in an order in which each comes after the one it starts from.
struct PipelineOrder {
    private enum Mark { case inProgress, done }

    private let names: [String]
    private let drafts: [String: PipelineDraft]
    private let report: Report
    private var marks: [String: Mark] = [:]
    private var order: [(String, PipelineDraft)] = []

    init(_ drafts: [(name: String, draft: PipelineDraft)], _ report: Report) {
        names = drafts.map(\.name)
        self.drafts = Dictionary(drafts.map { ($0.name, $0.draft) }) { first, _ in first }
        self.report = report
    }

    /// The pipelines in order, after reporting each circle.
    func sorted() -> [(String, PipelineDraft)] {
        var copy = self
        for name in names { copy.visit(name) }
        return copy.order
    }

    /// Goes upstream to where nothing new is. In a loop: a config may hold a chain longer than any stack.
    private mutating func visit(_ name: String) {
        var path: [(name: String, draft: PipelineDraft)] = []
        var next = name
        while let draft = drafts[next], marks[next] == nil {
            marks[next] = .inProgress
            path.append((next, draft))
            next = draft.from.text
        }
        if marks[next] == .inProgress, let start = path.firstIndex(where: { $0.name == next }) {
            let circle = (path[start...].map(\.name) + [next]).joined(separator: " from ")
            report.add(
                "pipelines start from each other in a circle: \(circle)", at: path[start].draft.from.location)
        }
        for (name, draft) in path.reversed() {
            marks[name] = .done
            order.append((name, draft))
        }
    }
}
