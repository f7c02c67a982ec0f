import Testing

@testable import RxPipelines

/// The results of steps for an event are found again when it is redelivered.
struct StepResultsTests {
    private let step = "0123456789abcdef/steps/1"
    private let output = StepResults.Output(PipelineEvent(.null, source: "s", sequence: 0, time: 0))

    /// In whatever order they were made.
    @Test func resultsAreFoundByStepAndArrival() {
        var results = StepResults(
            [("a", 1, 1), ("b", 0, 2), ("a", 0, 3)].map { StepResults.Result(step: $0, arrival: $1, output: $2) })
        #expect(results.arrive(at: "a")?.output == 3)
        #expect(results.arrive(at: "a")?.output == 1)
        #expect(results.arrive(at: "a") == nil)
        results.add(nil, of: "a")
        #expect(results.arrive(at: "a") == nil)
        #expect(results.arrive(at: "b")?.output == 2)
        #expect(results.made.map(\.arrival) == [1, 0, 0, 2])
    }

    /// An event that reaches a step often may have been saved when the step had processed half of its arrivals.
    @Test(.timeLimit(.minutes(1))) func manyArrivalsTakeLinearTime() {
        var saved = StepResults()
        for _ in 0..<20_000 { saved.add(output, of: step) }
        var results = StepResults(saved.made)
        var recalled = 0
        for _ in 0..<40_000 {
            if results.arrive(at: step) == nil { results.add(output, of: step) } else { recalled += 1 }
        }
        #expect(recalled == 20_000)
        #expect(results.made.count == 40_000)
    }
}
