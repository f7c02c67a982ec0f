import RxJQ
import RxJSON

/// The results of stateful steps for an unsettled event.
///
/// With them, a redelivery neither changes their state twice nor loses the event.
package struct StepResults: Sendable, Equatable {
    /// The result of one step for one arrival of the event.
    package struct Result: Sendable, Equatable {
        package let step: String
        /// The number of the arrival in its branch. An event arrives more than once if branches are merged.
        package let arrival: Int
        /// `nil` if the step emitted nothing.
        package var output: JSON? { content?.json }
        let content: JQValue?
        /// The branch of the output, if the step has changed it.
        package let branch: EventBranch?
        /// Whether the step failed on the event. Such a result is not saved.
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

    /// The output of a step for an event.
    package struct Output: Sendable {
        let content: JQValue
        let branch: EventBranch

        package init(_ event: PipelineEvent) {
            (content, branch) = (event.content, event.branch)
        }
    }

    /// The arrival of an event at a step, by its number among those made of one source event.
    private struct Arrival: Hashable {
        let step: String
        let number: Int

        init(_ step: String, _ number: Int) {
            self.step = step
            self.number = number
        }
    }

    /// The results in the order in which they were made. ``NodeMemory/step(at:)`` identifies a step.
    private var results: [Result]
    /// The index of each result; `nil` until the redelivered event arrives at a step. An event may have many results.
    private var indices: [Arrival: Int]?
    /// The number of arrivals at each step since the event was redelivered.
    private var arrivals: [(step: String, counts: BranchCounts)] = []

    package init(_ made: [Result] = []) {
        results = made
    }

    /// The memory of the results in bytes, as far as it was measured.
    private(set) var memory = 0

    private mutating func remove(_ isRemoved: (Result) -> Bool) {
        results.removeAll {
            guard isRemoved($0) else { return false }
            memory -= $0.content?.memory ?? 0
            return true
        }
    }

    /// The results that are saved.
    package var made: [Result] { results.filter { !$0.isFailure } }

    package static func == (left: StepResults, right: StepResults) -> Bool { left.made == right.made }

    /// Counts an arrival of the redelivered event at a step, in a branch.
    ///
    /// - Returns: the step's result from before the redelivery; `nil` if there is none.
    mutating func arrive(at step: String, in branch: EventBranch = .main) -> Result? {
        let known = arrivals.firstIndex { $0.step == step }
        if known == nil { arrivals.append((step, BranchCounts())) }
        let arrival = arrivals[known ?? arrivals.count - 1].counts.next(in: branch)
        let indices =
            indices ?? Dictionary(results.enumerated().map { (Arrival($1.step, $1.arrival), $0) }) { first, _ in first }
        self.indices = indices
        return indices[Arrival(step, arrival)].map { results[$0] }
    }

    /// Adds the result of a step for the latest arrival in a branch.
    ///
    /// - Parameters:
    ///   - output: the output; `nil` if the step emitted nothing.
    ///   - step: the step.
    ///   - branch: the branch of the arrival.
    package mutating func add(_ output: Output?, of step: String, in branch: EventBranch = .main) {
        append(output, of: step, latestArrival(at: step, in: branch), branch)
    }

    /// Adds the result of a step for the first arrival in a branch that has none.
    mutating func addLater(_ output: Output?, of step: String, in branch: EventBranch) {
        append(output, of: step, firstMissing(of: step, in: branch), branch)
    }

    private mutating func append(_ output: Output?, of step: String, _ arrival: Int, _ branch: EventBranch) {
        let changed = output.flatMap { $0.branch == branch ? nil : $0.branch }
        append(Result(step, arrival, output?.content, changed))
    }

    /// Removes the results of these steps and of those inside them: they process the event again.
    mutating func forget(_ steps: [String]) {
        remove { Self.isInside(steps, $0.step) }
        arrivals.removeAll { Self.isInside(steps, $0.step) }
        indices = nil
    }

    private static func isInside(_ steps: [String], _ step: String) -> Bool {
        steps.contains { step == $0 || step.hasPrefix($0 + "/") }
    }

    /// Prepares a redelivery to these steps and to those inside them: they emit their results again, and process the
    /// event again if they failed on it.
    mutating func prepareRedelivery(to steps: [String]) {
        remove { $0.isFailure && Self.isInside(steps, $0.step) }
        arrivals.removeAll { Self.isInside(steps, $0.step) }
        indices = nil
    }

    /// Notes that a step has failed on the event.
    mutating func fail(at step: String, in branch: EventBranch) {
        append(Result(step, latestArrival(at: step, in: branch), nil, nil, isFailure: true))
    }

    private mutating func append(_ result: Result) {
        let arrival = Arrival(result.step, result.arrival)
        if indices?[arrival] == nil { indices?[arrival] = results.count }
        results.append(result)
        memory += result.content?.memory ?? 0
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
        // Searched from the end: a step that the event reaches often is the one that it reached last.
        return results.last { $0.step == step && EventBranch(saved: $0.arrival) == nil }.map { $0.arrival + 1 } ?? 0
    }

    private func contains(_ arrival: Arrival) -> Bool {
        indices.map { $0[arrival] != nil }
            ?? results.contains { $0.step == arrival.step && $0.arrival == arrival.number }
    }
}
