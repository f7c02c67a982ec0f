/// What stateful steps made of an unsettled event, so that they neither count it again when it is redelivered nor lose it.
package struct StepResults: Sendable, Equatable {
    /// In the order in which they were made. A step is known by the run of its pipeline and its path.
    package private(set) var made: [Result] = []
    /// How often the event has reached each step since it was redelivered.
    private var arrivals: [String: Int] = [:]
    /// How often each step has failed on the event, if it was not redelivered.
    private var failures: [String: Int] = [:]

    package struct Result: Sendable, Equatable {
        package let step: String
        /// How often the event had reached the step before. Where branches are merged, an event comes more than once.
        package let arrival: Int
        /// `nil` if the step emitted nothing.
        package let output: JSON?

        package init(step: String, arrival: Int, output: JSON?) {
            self.step = step
            self.arrival = arrival
            self.output = output
        }
    }

    package init(_ made: [Result] = []) {
        self.made = made
    }

    package static func == (left: StepResults, right: StepResults) -> Bool { left.made == right.made }

    /// Counts an arrival of the redelivered event at a step.
    ///
    /// - Returns: what the step made of it before the redelivery, if it did not fail.
    mutating func arrive(at step: String) -> Result? {
        let arrival = arrivals[step, default: 0]
        arrivals[step] = arrival + 1
        return made.first { $0.arrival == arrival && $0.step == step }
    }

    /// Adds what a step made of the arrival that it has processed last.
    mutating func add(_ output: JSON?, of step: String) {
        let arrival = arrivals[step].map { $0 - 1 } ?? count(of: step) + (failures.isEmpty ? 0 : failures[step] ?? 0)
        made.append(Result(step: step, arrival: arrival, output: output))
    }

    /// Adds what a step made of an earlier arrival.
    mutating func addLater(_ output: JSON?, of step: String) {
        made.append(Result(step: step, arrival: count(of: step), output: output))
    }

    private func count(of step: String) -> Int { made.count { $0.step == step } }

    /// A step has failed on the event.
    mutating func fail(at step: String) {
        failures[step, default: 0] += 1
    }
}
