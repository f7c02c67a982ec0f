import RxEngineModel
import TestSupport
import Testing

@Suite(.balanced)
struct RandomProgramTests {
    /// 10,000 programs compared with the model, and 10,000 by laws. More by `make fuzz-engine`.
    @Test
    func randomProgramsAgreeWithModelAndKeepLaws() {
        var campaign = Campaign(seed: 1)
        while campaign.programs < 20_000, campaign.failures.count < 3 { campaign.runNext() }
        for failing in campaign.failures { Issue.record("\(failing)") }
        #expect(campaign.discarded * 3 < campaign.programs)
        for name in Generator.names { #expect(campaign.counts[name, default: 0] > 0, "\(name) is never used") }
    }
}
