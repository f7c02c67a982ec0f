import RxEngineModel
import TestSupport
import Testing

@Suite(.balanced)
struct RandomProgramTests {
    /// More by `make fuzz-engine`.
    @Test
    func engineAgreesWithModelOnRandomPrograms() {
        var campaign = Campaign(seed: 1)
        while campaign.programs < 10_000, campaign.failures.count < 3 { campaign.runNext() }
        for failing in campaign.failures { Issue.record("\(failing)") }
        #expect(campaign.discarded * 4 < campaign.programs)
        for name in Generator.names { #expect(campaign.counts[name, default: 0] > 0, "\(name) is never used") }
    }
}
