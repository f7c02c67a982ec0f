import DeliveryFuzzing
import Testing

/// Some of the random configurations of `make fuzz-delivery`.
struct DeliveryFuzzingTests {
    @Test func everyEventIsProcessedOverStopsAndKills() {
        let total = Campaign(seed: 1, length: 12, jobs: 4).run(while: { $0 < 8 })
        for failure in total.failures { Issue.record("\(failure)") }
        print(total)
    }
}
