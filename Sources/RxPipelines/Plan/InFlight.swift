/// Looks for steps that would wait for ever: for more events than their sources have in flight.
struct InFlight {
    /// Of each node, for how many of its events there is room at once.
    private var room: [String: Int]
    private let order: [(name: String, draft: PipelineDraft)]
    private let report: Report

    /// - Parameter order: the pipelines, each after those it starts from.
    init(
        _ sources: [(name: String, kind: any SourceKind)], _ order: [(name: String, draft: PipelineDraft)],
        _ report: Report
    ) {
        room = Dictionary(sources.map { ($0.name, $0.kind.settings.inFlight) }) { first, _ in first }
        self.order = order
        self.report = report
    }

    func check() {
        var room = room
        for (name, draft) in order {
            var most = Self.room(for: draft.inputs, draft.inputs.members.map { room[$0.node.text] ?? .max })
            for (step, place) in zip(draft.steps, draft.places) {
                // What makes several events of one, or holds what it remembers of each, is not counted.
                guard step.kind.isSteady else {
                    most = .max
                    break
                }
                let holds = step.kind.holds
                if holds <= most {
                    // Each that it tells holds as many as it is made of.
                    if holds > 1 { most /= holds }
                    continue
                }
                report.add(
                    "\(step.name) waits for \(holds) events, and no more than \(most) of its sources are in flight; "
                        + "raise their 'inFlight'", at: place)
            }
            room[name] = most
        }
    }

    /// What is put together of several holds an event of each, where it is not one of them.
    private static func room(for inputs: Inputs, _ members: [Int]) -> Int {
        switch inputs.combination {
        case .zip, .combineLatest: return members.min() ?? .max
        case nil, .merge, .concat, .amb:
            return members.isEmpty
                ? .max : members.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
        }
    }
}
