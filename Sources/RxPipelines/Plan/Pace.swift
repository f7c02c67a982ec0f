import RxDiagnostics

/// Looks for steps that make no sense at the pace of the source before them: a debounce that never emits, a timeout
/// that always fails.
struct Pace {
    /// How long it is from one event to the next: always, or at most.
    private struct Period {
        let length: Duration
        let isExact: Bool
    }

    /// That of each node, where it is known.
    private var periods: [String: Period] = [:]
    private let order: [(name: String, builder: PipelineBuilder)]
    private let report: Report

    /// - Parameter order: the pipelines, each after those it starts from.
    init(
        _ sources: [(name: String, kind: any SourceKind)], _ order: [(name: String, builder: PipelineBuilder)],
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
        for (name, builder) in order {
            let before = builder.inputs.members.compactMap { periods[$0.node.text] }
            periods[name] = period(of: builder.inputs, before).flatMap { period(after: builder, $0) }
        }
    }

    /// How long it is from one event to the next where several nodes are put together, of which these periods are
    /// known: of those that emit whenever one does, no longer than with the fastest alone.
    private func period(of inputs: Inputs, _ periods: [Period]) -> Period? {
        switch inputs.combination {
        case nil: return periods.first
        case .merge, .combineLatest:
            return periods.map(\.length).min().map { Period(length: $0, isExact: false) }
        case .zip, .concat, .amb: return nil
        }
    }

    /// How long it is from one event to the next behind the steps, after reporting those that make no sense.
    private func period(after builder: PipelineBuilder, _ period: Period) -> Period? {
        for (step, place) in zip(builder.steps, builder.places) {
            if let complaint = step.kind.complaint(afterEvery: period.length, isExact: period.isExact) {
                report.add(complaint, at: place)
            }
            if !step.kind.keepsPace { return nil }
        }
        return period
    }
}
