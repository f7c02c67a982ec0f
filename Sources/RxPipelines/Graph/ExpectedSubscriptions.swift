import RxEngine

/// The number of subscriptions that a pipeline has by the plan, while its sinks are idle.
///
/// It is the sum of those that every pipeline has, those of its inputs, and those of each step. A pipeline has fewer when
/// a part of it has completed.
package struct ExpectedSubscriptions: Sendable {
    /// The subscriptions of one step.
    package struct Step: Sendable {
        /// The name of the step's kind: "takeUntil".
        package let name: String
        /// The number of subscriptions at the start of a run.
        package let count: Int
        /// Whether the step may have more subscriptions later, for example one for each event.
        package let varies: Bool
    }

    /// The account that the pipeline's live objects are charged to.
    package let account: Resources.Account
    /// The steps, in the order of the configuration.
    package let steps: [Step]
    /// The number of subscriptions of the whole pipeline at the start of its run.
    package let total: Int
    /// Whether the steps of the pipeline may have more subscriptions later.
    package var varies: Bool { steps.contains(where: \.varies) }
    /// How many more subscriptions the sinks may need while they work: one or two for each of a few events.
    package let allowance: Int

    /// The subscriptions that every pipeline has: to the shared connection, to the steps, and to the inputs.
    private static let ofEveryPipeline = 3
    /// The subscriptions for the failed events of other pipelines: to their queue, and the change to the pipeline's
    /// scheduler.
    private static let ofFailures = 2

    init(_ account: Resources.Account, steps: [Step] = [], total: Int, allowance: Int) {
        (self.account, self.steps, self.total, self.allowance) = (account, steps, total, allowance)
    }

    init(_ pipeline: Plan.Pipeline, isRunning: Bool, _ account: Resources.Account) {
        let steps = pipeline.placedSteps.map {
            Step(name: $0.name, count: isRunning ? $0.kind.subscriptions : 0, varies: !$0.kind.isSteady)
        }
        let total = isRunning ? Self.total(of: pipeline, steps) : 0
        self.init(account, steps: steps, total: total, allowance: 8 * pipeline.sinks.count)
    }

    private static func total(of pipeline: Plan.Pipeline, _ steps: [Step]) -> Int {
        let members = pipeline.inputs.members.count
        var inputs =
            switch pipeline.inputs.combination {
            case nil: 0
            // One after the other.
            case .concat: 1
            case .merge, .zip, .amb, .combineLatest: members
            }
        if pipeline.takesFailures { inputs += ofFailures + (members == 0 ? 0 : 2) }
        return ofEveryPipeline + (pipeline.sinks.isEmpty ? 0 : 1) + inputs + steps.reduce(0) { $0 + $1.count }
    }
}
