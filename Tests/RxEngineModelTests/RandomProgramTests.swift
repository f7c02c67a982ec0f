import RxEngineModel
import TestSupport
import Testing

@Suite(.balanced)
struct RandomProgramTests {
    /// Compares 10,000 programs with the model and checks 10,000 against the laws. `make fuzz-engine` runs more.
    @Test
    func randomProgramsAgreeWithModelAndKeepLaws() {
        // With this seed, every operator is used, also those that are rarely drawn.
        var campaign = Campaign(seed: 250_000)
        while campaign.programs < 20_000, campaign.failures.count < 3 { campaign.runNext() }
        for failing in campaign.failures { Issue.record("\(failing)") }
        #expect(campaign.discarded * 3 < campaign.programs)
        for name in Generator.names { #expect(campaign.counts[name, default: 0] > 0, "\(name) is never used") }
    }
}
