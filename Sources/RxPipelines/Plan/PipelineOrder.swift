/// Puts pipelines in an order in which each comes after those it takes events from.
struct PipelineOrder {
    private enum Mark { case inProgress, done }

    private let names: [String]
    private let drafts: [String: PipelineDraft]
    private let report: Report
    private var marks: [String: Mark] = [:]
    private var order: [(name: String, draft: PipelineDraft)] = []

    /// A pipeline on the way upstream, and those before it that are still to be looked at.
    private struct Stop {
        let name: String
        let draft: PipelineDraft
        var rest: ArraySlice<LocatedText>
        /// The one gone to from here.
        var next: LocatedText?
    }

    init(_ drafts: [(name: String, draft: PipelineDraft)], _ report: Report) {
        names = drafts.map(\.name)
        self.drafts = Dictionary(drafts.map { ($0.name, $0.draft) }) { first, _ in first }
        self.report = report
    }

    /// The pipelines in order, after reporting each circle.
    func sorted() -> [(name: String, draft: PipelineDraft)] {
        var copy = self
        for name in names { copy.visit(name) }
        return copy.order
    }

    /// Goes upstream to where nothing new is. In a loop: a config may hold a chain longer than any stack.
    private mutating func visit(_ name: String) {
        var path: [Stop] = []
        enter(name, &path)
        while var stop = path.popLast() {
            guard let next = stop.rest.popFirst() else {
                marks[stop.name] = .done
                order.append((stop.name, stop.draft))
                continue
            }
            stop.next = next
            path.append(stop)
            if marks[next.text] == .inProgress { reportCircle(to: next.text, path) }
            enter(next.text, &path)
        }
    }

    private mutating func enter(_ name: String, _ path: inout [Stop]) {
        guard marks[name] == nil, let draft = drafts[name] else { return }
        marks[name] = .inProgress
        path.append(Stop(name: name, draft: draft, rest: draft.references[...]))
    }

    private func reportCircle(to name: String, _ path: [Stop]) {
        guard let start = path.firstIndex(where: { $0.name == name }), let place = path[start].next?.location else {
            return
        }
        let circle = (path[start...].map(\.name) + [name]).joined(separator: " from ")
        report.add("pipelines start from each other in a circle: \(circle)", at: place)
    }
}
