import RxDiagnostics

/// Reports steps that make no sense at the pace of the source before them: a debounce that never emits, a timeout that
/// always fails.
struct PaceCheck {
    /// The time from one event to the next.
    private struct Period {
        let length: Duration
        /// Whether the time is always this long; otherwise it is the longest.
        let isExact: Bool
    }

    /// The period of each node, if it is known.
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

    /// The period of a combination of nodes, given the known periods of these. A combination that emits whenever one of
    /// its nodes does has at most the shortest of them.
    private func period(of inputs: InputNodes, _ periods: [Period]) -> Period? {
        switch inputs.combination {
        case nil: return periods.first
        case .merge, .combineLatest:
            return periods.map(\.length).min().map { Period(length: $0, isExact: false) }
        case .zip, .concat, .amb: return nil
        }
    }

    /// Reports the steps that make no sense at this period.
    ///
    /// - Returns: the period after the steps; `nil` if unknown.
    private func period(after builder: PipelineBuilder, _ period: Period) -> Period? {
        for step in builder.steps {
            if let complaint = step.kind.complaint(afterEvery: period.length, isExact: period.isExact) {
                report.add(complaint, at: step.locationCell.location)
            }
            if !step.kind.keepsPace { return nil }
        }
        return period
    }
}
