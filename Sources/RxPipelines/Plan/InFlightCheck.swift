import RxDiagnostics

/// Reports steps that would wait forever because they hold more events than `inFlight` allows.
struct InFlightCheck {
    /// The number of events of each node that can be unsettled at once.
    private var room: [String: Int]
    private let order: [(name: String, builder: PipelineBuilder)]
    private let report: Report

    /// - Parameter order: the pipelines, each after those it starts from.
    init(
        _ sources: [(name: String, kind: any SourceKind)], _ order: [(name: String, builder: PipelineBuilder)],
        _ report: Report
    ) {
        room = Dictionary(sources.map { ($0.name, $0.kind.settings.inFlight) }) { first, _ in first }
        self.order = order
        self.report = report
    }

    func check() {
        var room = room
        for (name, builder) in order {
            var maximum = Self.room(for: builder.inputs, builder.inputs.members.map { room[$0.node.text] ?? .max })
            var passes = Int.max
            for step in builder.steps {
                // One that waits for the end of an endless source never emits, whatever `inFlight` is.
                let holds = min(step.kind.holds, passes) == .max ? 0 : min(step.kind.holds, passes)
                passes = min(passes, step.kind.passes)
                if holds <= maximum {
                    // A step may make several events of one: how many are unsettled after it is unknown.
                    guard step.kind.isSteady else {
                        maximum = .max
                        break
                    }
                    // Each list that the step emits holds that many deliveries.
                    if holds > 1, step.kind.makesLists { maximum /= holds }
                    continue
                }
                report.add(
                    "\(step.name) waits for \(holds) events, but 'inFlight' of its sources allows \(maximum); raise 'inFlight' or "
                        + "lower the count", at: step.locationCell.location)
            }
            room[name] = maximum
        }
    }

    /// A combination of several nodes holds one event of each.
    private static func room(for inputs: InputNodes, _ members: [Int]) -> Int {
        switch inputs.combination {
        case .zip, .combineLatest: return members.min() ?? .max
        case nil, .merge, .concat, .amb:
            return members.isEmpty
                ? .max : members.reduce(0) { $0.addingReportingOverflow($1).overflow ? .max : $0 + $1 }
        }
    }
}
