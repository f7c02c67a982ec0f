import RxEngine
import TestSupport
import Testing

@testable import RxPipelines
@testable import rxwatchd

/// The leaks that `rxwatchctl status`, `rxwatchctl resources` and the metrics show.
@Suite(.balanced) struct KnownLeaksTests {
    @Test(.enabled(if: Resources.isTraced)) func leaksOfRunningAndReplacedNodesAreKnown() async throws {
        let recorder = Recorder(
            outbox: RecordOutbox(writesToJournal: false, print: { _ in }), generation: GenerationNumber())
        let reporter = ResourceReporter(config: "c.yaml", recorder)
        #expect(reporter.knownLeaks.isEmpty)

        let running = Resources.Account("running")
        for count in [5, 9, 9, 9] {
            reporter.leaks.withLock { watch in
                _ = watch.sample([.init(running, total: 5, allowance: 2)], count: { _ in count })
            }
        }
        let replaced = Resources.Account("replaced")
        var held: (any Disposable)? = replaced.charge { SerialDisposable() }
        // A second after the time of the drain.
        reporter.expectNothing(of: [replaced], after: .zero) { false }
        let leaks = [Leak(name: "running", live: 0, maximum: 7), Leak(name: "replaced", live: 1, maximum: nil)]
        try await eventually("both are known") { reporter.knownLeaks == leaks }
        withExtendedLifetime(held) {}
        held = nil
        #expect(reporter.knownLeaks == [leaks[0]])
        reporter.forget()
        recorder.outbox.drain(within: .seconds(5))
    }

    /// The record of a leak lists what is alive of one node.
    @Test(.enabled(if: Resources.isTraced)) func liveSubscriptionsOfAccountAreListed() {
        let recording = Resources.recording
        Resources.recording = .subscriptions
        defer { Resources.recording = recording }
        let (account, other) = (Resources.Account("leaking"), Resources.Account("other"))
        let subject = PublishSubject<Int>()
        let subscription = account.charge { subject.map { $0 }.subscribe() }
        #expect(SubscriptionRecording.alive(account.name) != "")
        #expect(SubscriptionRecording.alive(other.name) == "")
        #expect(SubscriptionRecording.alive().hasPrefix("\n  "))
        subscription.dispose()
    }
}
