/// What stateful steps emitted for an unsettled event, so that they neither count it again when it is redelivered nor lose it.
package struct StepResults: Sendable, Equatable {
    /// In the order in which they were made. A step is known by the run of its pipeline and its path.
    package private(set) var made: [Result] = []
    /// How many results of each step the redelivered event has been given.
    private var given: [String: Int] = [:]

    package struct Result: Sendable, Equatable {
        package let step: String
        /// `nil` if the step emitted nothing.
        package let output: JSON?

        package init(step: String, output: JSON?) {
            self.step = step
            self.output = output
        }
    }

    package init(_ made: [Result] = []) {
        self.made = made
    }

    package static func == (left: StepResults, right: StepResults) -> Bool { left.made == right.made }

    mutating func add(_ output: JSON?, of step: String) {
        made.append(Result(step: step, output: output))
        if given[step] != nil { given[step, default: 0] += 1 }
    }

    /// The next result of a step from before the redelivery.
    mutating func next(of step: String) -> Result? {
        let number = given[step, default: 0]
        let result = made.lazy.filter { $0.step == step }.dropFirst(number).first
        given[step] = result == nil ? number : number + 1
        return result
    }
}
