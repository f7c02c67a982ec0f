/// Looks for steps that make no sense at the pace of the source before them: a debounce that never tells, a timeout that
/// always fails.
struct Pace {
    /// How long it is from one event of a node to the next, where it is known.
    private var periods: [String: Duration] = [:]
    private let order: [(name: String, draft: PipelineDraft)]
    private let report: Report

    /// - Parameter order: the pipelines, each after those it starts from.
    init(
        _ sources: [(name: String, kind: any SourceKind)], _ order: [(name: String, draft: PipelineDraft)],
        _ report: Report
    ) {
        for source in sources { periods[source.name] = source.kind.period }
        self.order = order
        self.report = report
    }

    func check() {
        var periods = periods
        for (name, draft) in order where draft.inputs.combination == nil {
            periods[name] = draft.inputs.members.first.flatMap { periods[$0.node.text] }.flatMap { period in
                self.period(after: draft, period)
            }
        }
    }

    /// How long it is from one event to the next behind the steps, after reporting those that make no sense.
    private func period(after draft: PipelineDraft, _ period: Duration) -> Duration? {
        for (step, place) in zip(draft.steps, draft.places) {
            if let complaint = step.kind.complaint(afterEvery: period) { report.add(complaint, at: place) }
            if !step.kind.keepsPace { return nil }
        }
        return period
    }
}
