import RxDiagnostics

/// Looks for steps that make no sense at the pace of the source before them: a debounce that never tells, a timeout that
/// always fails.
struct Pace {
    /// How long it is from one event to the next: always, or at most.
    private struct Period {
        let length: Duration
        let isExact: Bool
    }

    /// That of each node, where it is known.
    private var periods: [String: Period] = [:]
    private let order: [(name: String, draft: PipelineDraft)]
    private let report: Report

    /// - Parameter order: the pipelines, each after those it starts from.
    init(
        _ sources: [(name: String, kind: any SourceKind)], _ order: [(name: String, draft: PipelineDraft)],
        _ report: Report
    ) {
        for source in sources {
            periods[source.name] = source.kind.period.map { Period(length: $0, isExact: true) }
        }
        self.order = order
        self.report = report
    }

    func check() {
        var periods = periods
        for (name, draft) in order {
            let before = draft.inputs.members.compactMap { periods[$0.node.text] }
            periods[name] = period(of: draft.inputs, before).flatMap { period(after: draft, $0) }
        }
    }

    /// How long it is from one event to the next where several nodes are put together, of which these periods are known: of
    /// those that tell whenever one does, no longer than with the fastest alone.
    private func period(of inputs: Inputs, _ periods: [Period]) -> Period? {
        switch inputs.combination {
        case nil: return periods.first
        case .merge, .combineLatest:
            return periods.map(\.length).min().map { Period(length: $0, isExact: false) }
        case .zip, .concat, .amb: return nil
        }
    }

    /// How long it is from one event to the next behind the steps, after reporting those that make no sense.
    private func period(after draft: PipelineDraft, _ period: Period) -> Period? {
        for (step, place) in zip(draft.steps, draft.places) {
            if let complaint = step.kind.complaint(afterEvery: period.length, isExact: period.isExact) {
                report.add(complaint, at: place)
            }
            if !step.kind.keepsPace { return nil }
        }
        return period
    }
}
