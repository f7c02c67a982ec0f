import RxPipelines
import Testing

/// What is valid agrees with `systemd-analyze timespan`.
struct SystemdDurationTests {
    @Test(arguments: [
        ("10s", Duration.seconds(10)), ("1min 30s", .seconds(90)), ("1min30s", .seconds(90)),
        ("250ms", .milliseconds(250)), ("2h", .seconds(7200)), ("1.5s", .milliseconds(1500)), ("5", .seconds(5)),
        ("0", .zero), ("5 s", .seconds(5)), (".5s", .milliseconds(500)), ("1.5h", .seconds(5400)),
        ("1us", .microseconds(1)), ("1usec", .microseconds(1)), ("5µs", .microseconds(5)), ("5μs", .microseconds(5)),
        ("3ms", .milliseconds(3)), ("1msec", .milliseconds(1)), ("1sec", .seconds(1)), ("2 seconds", .seconds(2)),
        ("1m", .seconds(60)), ("1 minute", .seconds(60)), ("1hr", .seconds(3600)), ("1hours", .seconds(3600)),
        ("1d2h", .seconds(93600)), ("1 d 2 h", .seconds(93600)), ("1w", .seconds(604_800)),
        ("1M", .seconds(2_629_800)), ("1month", .seconds(2_629_800)), ("1y", .seconds(31_557_600)),
        ("1 30", .seconds(31)), (" 1s ", .seconds(1)), ("1.23456789s", .microseconds(1_234_567)),
        ("0.0000001s", .zero), ("10000y", .seconds(315_576_000_000)),
    ])
    func reads(text: String, duration: Duration) throws {
        #expect(try SystemdDuration.parse(text) == duration)
    }

    @Test(arguments: [
        ("", "it is empty"), (" ", "it is empty"), ("-1s", "it cannot be negative"),
        ("1s -2s", "it cannot be negative"), ("infinity", "it must end"), ("s", "a number must stand before 's'"),
        ("1.", "a digit must follow the point"), ("1.s", "a digit must follow the point"),
        ("1 . 5s", "a digit must follow the point"), ("1,5s", "',' is not a unit"), ("1e3", "'e' is not a unit"),
        ("+1s", "a number must stand before '+1s'"), ("1Min", "'Min' is not a unit; did you mean 'min'?"),
        ("3 secnds", "'secnds' is not a unit; did you mean 'second'?"), ("0x10", "'x' is not a unit"),
        ("1ns", "'ns' is not a unit; did you mean 'us'?"), ("99999999999999y", "it is too long"),
        ("292278y", "it is too long"), ("200000y 200000y", "it is too long"),
        ("99999999999999999999s", "it is too long"), ("١s", "a number must stand before '١s'"),
    ])
    func refuses(text: String, reason: String) {
        let message = "'\(text)' is not a duration: \(reason); write for example 10s, 1min 30s or 250ms"
        do throws(SystemdDuration.Failure) {
            Issue.record("'\(text)' became \(try SystemdDuration.parse(text))")
        } catch {
            #expect(error.message == message)
        }
    }
}
