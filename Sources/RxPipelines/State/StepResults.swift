import RxJQ
import RxJSON

/// What stateful steps made of an unsettled event, so that they neither count it again when it is redelivered nor lose it.
package struct StepResults: Sendable, Equatable {
    /// What one step made of one arrival of the event.
    package struct Result: Sendable, Equatable {
        package let step: String
        /// How often the event had reached the step before. Where branches are merged, an event comes more than once.
        package let arrival: Int
        /// `nil` if the step emitted nothing.
        package var output: JSON? { content?.json }
        let content: JQValue?
        /// Whether the step failed on it: then it is not saved.
        fileprivate let isFailure: Bool

        package init(step: String, arrival: Int, output: JSON?) {
            self.init(step, arrival, output.map { JQValue($0) })
        }

        fileprivate init(_ step: String, _ arrival: Int, _ content: JQValue?, isFailure: Bool = false) {
            self.step = step
            self.arrival = arrival
            self.content = content
            self.isFailure = isFailure
        }

        package static func == (left: Result, right: Result) -> Bool {
            left.step == right.step && left.arrival == right.arrival && left.output == right.output
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
    private var arrivals: [(step: String, count: Int)] = []

    package init(_ made: [Result] = []) {
        results = made
    }

    /// The results that are saved.
    package var made: [Result] { results.filter { !$0.isFailure } }

    package static func == (left: StepResults, right: StepResults) -> Bool { left.made == right.made }

    /// Counts an arrival of the redelivered event at a step.
    ///
    /// - Returns: what the step made of it before the redelivery, if it did not fail.
    mutating func arrive(at step: String) -> Result? {
        let place = arrivals.firstIndex { $0.step == step }
        let arrival = place.map { arrivals[$0].count } ?? 0
        if let place { arrivals[place].count += 1 } else { arrivals.append((step, 1)) }
        let indices =
            indices ?? Dictionary(results.enumerated().map { (Arrival($1.step, $1.arrival), $0) }) { first, _ in first }
        self.indices = indices
        return indices[Arrival(step, arrival)].map { results[$0] }
    }

    /// Adds what a step made of the arrival that it has processed last.
    package mutating func add(_ output: JQValue?, of step: String) {
        append(Result(step, latestArrival(at: step), output))
    }

    /// Adds what a step made of an earlier arrival.
    mutating func addLater(_ output: JQValue?, of step: String) {
        append(Result(step, countOfResults(of: step), output))
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

    /// The event comes again to these steps, and those inside them: they emit what they made of it, and process again what they
    /// failed on.
    mutating func comeAgain(to steps: [String]) {
        results.removeAll { $0.isFailure && Self.isInside(steps, $0.step) }
        arrivals.removeAll { Self.isInside(steps, $0.step) }
        indices = nil
    }

    /// A step has failed on the event.
    mutating func fail(at step: String) {
        append(Result(step, latestArrival(at: step), nil, isFailure: true))
    }

    private mutating func append(_ result: Result) {
        let arrival = Arrival(result.step, result.arrival)
        if indices?[arrival] == nil { indices?[arrival] = results.count }
        results.append(result)
    }

    private func latestArrival(at step: String) -> Int {
        arrivals.first { $0.step == step }.map { $0.count - 1 } ?? countOfResults(of: step)
    }

    private func countOfResults(of step: String) -> Int {
        // From the end: where an event reaches a step often, it has done so lately.
        results.last { $0.step == step }.map { $0.arrival + 1 } ?? 0
    }
}
