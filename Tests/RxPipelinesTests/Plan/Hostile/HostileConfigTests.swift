import ConfigTestSupport
import RxDiagnostics
import Testing

@testable import RxPipelines

/// Hostile configurations are read in a short time, and each error in them has its location.
@Suite(.timeLimit(.minutes(2)))
struct HostileConfigTests {
    @Test func everyHostileConfigHasItsError() {
        #expect(HostileConfig.all.count >= 75)
        #expect(Set(HostileConfig.all.map(\.name)).count == HostileConfig.all.count)
        for config in HostileConfig.all {
            let start = ContinuousClock.now
            let found = complaints { () throws(Diagnostics) in
                _ = try LoadedConfig([("t.yaml", config.bytes)], Substitution(environment: ["A": "x"]))
            }
            let isExpected = config.complaint.map { found.first?.hasPrefix($0) == true } ?? found.isEmpty
            #expect(isExpected, "\(config.name): \(found.first?.prefix(300) ?? "accepted")")
            #expect(ContinuousClock.now - start < .seconds(10), "\(config.name)")
        }
    }
}
