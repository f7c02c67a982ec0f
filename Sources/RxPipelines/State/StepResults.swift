import RxJQ
import RxJSON

/// What stateful steps made of an unsettled event, so that they neither count it again when it is redelivered nor lose
/// it.
package struct StepResults: Sendable, Equatable {
    /// What one step made of one arrival of the event.
    package struct Result: Sendable, Equatable {
        package let step: String
        /// The number of the arrival in its branch: where branches are merged, an event comes more than once.
        package let arrival: Int
        /// `nil` if the step emitted nothing.
        package var output: JSON? { content?.json }
        let content: JQValue?
        /// The branch of the output, if the step has changed it.
        package let branch: EventBranch?
        /// Whether the step failed on it: then it is not saved.
        fileprivate let isFailure: Bool

        package init(step: String, arrival: Int, output: JSON?, branch: EventBranch? = nil) {
            self.init(step, arrival, output.map { JQValue($0) }, branch)
        }

        fileprivate init(
            _ step: String, _ arrival: Int, _ content: JQValue?, _ branch: EventBranch?, isFailure: Bool = false
        ) {
            self.step = step
            self.arrival = arrival
            self.content = content
            self.branch = branch
            self.isFailure = isFailure
        }

        package static func == (left: Result, right: Result) -> Bool {
            left.step == right.step && left.arrival == right.arrival && left.output == right.output
                && left.branch == right.branch
        }
    }

    /// What a step emits for an event.
    package struct Output: Sendable {
        let content: JQValue
        let branch: EventBranch

        package init(_ event: PipelineEvent) {
            (content, branch) = (event.content, event.branch)
        }
    }

    private struct Arrival: Hashable {
        let step: String
        let number: Int

        init(_ step: String, _ number: Int) {
            self.step = step
            self.number = number
        }
    }

    /// In the order in which they were made. A step is known by the run of its pipeline and its path.
    private var results: [Result]
    /// The index of each result, as soon as the event has arrived again: it may reach a step very often.
    private var indices: [Arrival: Int]?
    /// How often the event has reached each step since it was redelivered.
    private var arrivals: [(step: String, counts: BranchCounts)] = []

    package init(_ made: [Result] = []) {
        results = made
    }

    /// The results that are saved.
    package var made: [Result] { results.filter { !$0.isFailure } }

    package static func == (left: StepResults, right: StepResults) -> Bool { left.made == right.made }

    /// Counts an arrival of the redelivered event at a step, in a branch.
    ///
    /// - Returns: what the step made of it before the redelivery, if it did not fail.
    mutating func arrive(at step: String, in branch: EventBranch = .main) -> Result? {
        let known = arrivals.firstIndex { $0.step == step }
        if known == nil { arrivals.append((step, BranchCounts())) }
        let arrival = arrivals[known ?? arrivals.count - 1].counts.next(in: branch)
        let indices =
            indices ?? Dictionary(results.enumerated().map { (Arrival($1.step, $1.arrival), $0) }) { first, _ in first }
        self.indices = indices
        return indices[Arrival(step, arrival)].map { results[$0] }
    }

    /// Adds what a step made of the arrival that it has processed last.
    ///
    /// - Parameter branch: the branch of the arrival.
    package mutating func add(_ output: Output?, of step: String, in branch: EventBranch = .main) {
        append(output, of: step, latestArrival(at: step, in: branch), branch)
    }

    /// Adds what a step made of an earlier arrival.
    mutating func addLater(_ output: Output?, of step: String, in branch: EventBranch) {
        append(output, of: step, firstMissing(of: step, in: branch), branch)
    }

    private mutating func append(_ output: Output?, of step: String, _ arrival: Int, _ branch: EventBranch) {
        let changed = output.flatMap { $0.branch == branch ? nil : $0.branch }
        append(Result(step, arrival, output?.content, changed))
    }

    /// Forgets what these steps, and those inside them, made of the event: they process it again.
    mutating func forget(_ steps: [String]) {
        results.removeAll { Self.isInside(steps, $0.step) }
        arrivals.removeAll { Self.isInside(steps, $0.step) }
        indices = nil
    }

    private static func isInside(_ steps: [String], _ step: String) -> Bool {
        steps.contains { step == $0 || step.hasPrefix($0 + "/") }
    }

    /// The event comes again to these steps, and those inside them: they emit what they made of it, and process again
    /// what they failed on.
    mutating func comeAgain(to steps: [String]) {
        results.removeAll { $0.isFailure && Self.isInside(steps, $0.step) }
        arrivals.removeAll { Self.isInside(steps, $0.step) }
        indices = nil
    }

    /// A step has failed on the event.
    mutating func fail(at step: String, in branch: EventBranch) {
        append(Result(step, latestArrival(at: step, in: branch), nil, nil, isFailure: true))
    }

    private mutating func append(_ result: Result) {
        let arrival = Arrival(result.step, result.arrival)
        if indices?[arrival] == nil { indices?[arrival] = results.count }
        results.append(result)
    }

    private func latestArrival(at step: String, in branch: EventBranch) -> Int {
        arrivals.first { $0.step == step }?.counts.last(in: branch) ?? firstMissing(of: step, in: branch)
    }

    /// The number of the first arrival that has no result.
    private func firstMissing(of step: String, in branch: EventBranch) -> Int {
        guard branch == .main else {
            var count = 0
            while contains(Arrival(step, branch.number(after: count))) { count += 1 }
            return branch.number(after: count)
        }
        // From the end: where an event reaches a step often, it has done so lately.
        return results.last { $0.step == step && EventBranch(saved: $0.arrival) == nil }.map { $0.arrival + 1 } ?? 0
    }

    private func contains(_ arrival: Arrival) -> Bool {
        indices.map { $0[arrival] != nil }
            ?? results.contains { $0.step == arrival.step && $0.arrival == arrival.number }
    }
}
