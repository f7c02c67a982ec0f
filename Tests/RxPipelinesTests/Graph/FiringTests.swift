import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxPipelines

/// Sources that an operator makes emit.
@Suite(.balanced) struct FiringTests {
    private static let config = """
        sources:
          tick: { interval: { every: 10s } }
          dawn: { interval: { every: 1min, align: utc } }
          rest: { interval: 10s }
          logs: { files: { paths: [/nonexistent/f] } }
        pipelines:
          p: { from: tick, steps: [map: .tick], onError: { to: errors }, to: [stdout] }
          q: { from: dawn, steps: [map: .tick + 100], to: [stdout] }
          merged: { merge: [p, q] }
          log: { from: logs }
          errors: { from: onError, to: [stdout] }
          unused: { from: rest }
        """

    @Test func sourceEmitsAtOnce() throws {
        let rig = try Rig(Self.config)
        rig.start()
        rig.scheduler.advanceTo(12)
        #expect(rig.graph?.fire("tick") == nil)
        rig.scheduler.advanceTo(13)
        #expect(rig.lines.value == ["0", "1"])
        let activity = try #require(rig.graph?.nodes.first { $0.name == "tick" }?.activity.summary)
        #expect(activity.last?.event.cause == "tick:1" && activity.next?.timeIntervalSince1970 == 20)
        // The grid is where it was.
        rig.scheduler.advanceTo(20)
        #expect(rig.lines.value == ["0", "1", "2"])
        #expect(rig.graph?.fire("dawn") == nil)
        rig.scheduler.advanceTo(21)
        #expect(rig.lines.value == ["0", "1", "2", "100"])
        rig.scheduler.advanceTo(60)
        #expect(rig.lines.value.filter { $0.count == 3 } == ["100", "101"])
        rig.drop()
    }

    @Test(arguments: [
        ("tik", "there is no source 'tik'; did you mean 'tick'?"),
        ("merged", "'merged' is a pipeline; fire a source that it takes events from: tick, dawn"),
        ("log", "'log' is a pipeline; none of the sources that it takes events from can be fired"),
        ("errors", "'errors' is a pipeline; none of the sources that it takes events from can be fired"),
        (
            "logs",
            "source 'logs' cannot be fired, only those of kind interval, http and command; "
                + "rxwatchctl try shows what an event of your own would do"
        ),
        ("rest", "source 'rest' does not run: no pipeline that runs takes its events"),
    ])
    func refusalSaysWhy(name: String, message: String) throws {
        let rig = try Rig(Self.config)
        rig.start()
        rig.scheduler.advanceTo(1)
        #expect(rig.graph?.fire(name) == message)
        rig.drop()
    }

    @Test func stoppedSourceIsNotFired() throws {
        let rig = try Rig(Self.config)
        #expect(rig.graph?.fire("tick") == "source 'tick' does not run: no pipeline that runs takes its events")
        rig.run(until: 1)
        #expect(rig.graph?.fire("tick") != nil && rig.lines.value.isEmpty)
        rig.drop()
    }
}
