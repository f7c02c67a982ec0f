import RxEngineTest
import RxLinux
import TestSupport
import Testing

@testable import RxPipelines

/// `retry` of an inner source and of a unit sink: the number of attempts, and the waits.
@Suite(.balanced) struct RetryingTests {
    /// The output for the first ticks and an inner source that fails until `moment`, as `time priority message`.
    private func lines(_ retry: String, failingUntil moment: Int, ticks: Int = 1) throws -> [String] {
        var lines: [String] = []
        _ = try errors {
            let rig = try Rig(
                """
                sources: { tick: { interval: { every: 5s, delay: 0s } } }
                pipelines:
                  p:
                    from: tick
                    steps:
                      - take: \(ticks)
                      - concatMap:
                          interval: { every: 10h, delay: 0s }
                          map: 'if .time < \(moment) then error("no") else $outer.tick end'
                          retry: \(retry)
                    onError: { to: { journal: "{{.value.tick}}: {{.error}}" } }
                    to: [journal: "{{.}}"]
                """)
            rig.start()
            rig.scheduler.advanceTo(5000)
            lines = rig.records.lines()
            rig.drop()
        }
        return lines
    }

    @Test(arguments: [
        ("{ delay: 60s }", 1, 60), ("{ delay: 60s }", 60, 60), ("{ delay: 60s }", 61, 120),
        ("{ delay: 60s, times: 3 }", 180, 180),
        ("{ backoff: 10s..70s }", 1, 10), ("{ backoff: 10s..70s }", 11, 30), ("{ backoff: 10s..70s }", 31, 70),
        // Never longer than the maximum.
        ("{ backoff: 10s..70s }", 71, 140), ("{ backoff: 10s..70s }", 141, 210), ("{ backoff: 10s..70s }", 211, 280),
    ])
    func innerSourceIsRetriedAfterGivenDelays(retry: String, moment: Int, time: TestTime) throws {
        #expect(try lines(retry, failingUntil: moment) == ["\(time) info 0"])
    }

    /// The events after it wait until the last attempt has failed.
    @Test(arguments: [
        ("{ times: 0, delay: 60s }", ["0 info 0: no", "5 info 1: no"]),
        ("{ times: 1, delay: 60s }", ["60 info 0: no; tried 2 times", "120 info 1: no; tried 2 times"]),
        ("{ times: 2, backoff: 10s..70s }", ["30 info 0: no; tried 3 times", "60 info 1: no; tried 3 times"]),
    ])
    func lastFailureOfInnerSourceFailsItsEvent(retry: String, expected: [String]) throws {
        #expect(try lines(retry, failingUntil: 1000, ticks: 2) == expected)
    }

    /// By at most the given part, at random.
    @Test(arguments: [(1, 50...100), (101, 150...300)])
    func jitterShortensDelays(moment: Int, times: ClosedRange<Int>) throws {
        let found = try (0..<8).compactMap { _ in
            try lines("{ backoff: 100s..400s, jitter: 0.5 }", failingUntil: moment).first?
                .split(separator: " ").first.flatMap { Int($0) }
        }
        #expect(found.count == 8 && found.allSatisfy { times.contains($0) }, "\(found)")
        #expect(Set(found).count > 1)
    }

    @Test(arguments: [
        ("{ times: 0, delay: 1s }", 1, Duration.zero), ("{ times: 2, delay: 60ms }", 3, .milliseconds(120)),
        ("{ times: 3, backoff: 20ms..40ms }", 4, .milliseconds(100)),
        ("{ times: 2, delay: 60ms, jitter: 0.5 }", 3, .milliseconds(60)),
    ])
    func failedUnitJobIsRetried(retry: String, attempts: Int, least: Duration) async throws {
        let (bus, manager, host) = try await SinkManager.start()
        let rig = try SinkRig("unit: { reload: '{{.}}-a.service', retry: \(retry) }", host)
        let start = ContinuousClock.now
        try rig.give("failed", "done")
        try await rig.finish()
        #expect(ContinuousClock.now - start >= least)
        #expect(
            manager.log
                == Array(repeating: "ReloadUnit failed-a.service replace", count: attempts)
                + ["ReloadUnit done-a.service replace"])
        let count = attempts > 1 ? "; tried \(attempts) times" : ""
        let failure = "the job ended as failed; see 'systemctl status failed-a.service'"
        #expect(rig.problems == ["p: unit failed: reload failed-a.service: \(failure)\(count)"])
        #expect(rig.done == ["tick:1 p: unit done: reload done-a.service"])
        manager.stop()
        withExtendedLifetime(bus) {}
    }
}
