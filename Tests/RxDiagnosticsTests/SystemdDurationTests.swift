import RxDiagnostics
import Testing

/// Valid durations agree with `systemd-analyze timespan`.
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
    func durationsAreRead(text: String, duration: Duration) throws {
        #expect(try SystemdDuration.parse(text) == duration)
    }

    /// As `systemd-analyze timespan` writes them, but without trailing zeros in a fraction.
    @Test(arguments: [
        ("0", "0"), ("1us", "1us"), ("1500us", "1.5ms"), ("250ms", "250ms"), ("1s", "1s"), ("1.5s", "1.5s"),
        ("1234567us", "1.234567s"), ("59.9s", "59.9s"), ("90s", "1min 30s"), ("90.05s", "1min 30.05s"), ("1h", "1h"),
        ("1h 1us", "1h 1us"), ("1h 1500us", "1h 1.5ms"), ("61.001s", "1min 1.001s"), ("24h", "1d"), ("8d", "1w 1d"),
        ("30.44d", "1month 3min 36s"), ("2y40d3h", "2y 1month 1w 2d 16h 30min"), ("10000y", "10000y"),
        ("9223372036854775807us", "292271y 1w 1d 10h 54.775807s"),
    ])
    func durationsAreWritten(text: String, expected: String) throws {
        let duration = try SystemdDuration.parse(text)
        #expect(SystemdDuration.format(duration) == expected)
        #expect(try SystemdDuration.parse(expected) == duration)
    }

    @Test func fractionsOfMicrosecondAreTruncated() {
        #expect(SystemdDuration.format(.nanoseconds(1_999)) == "1us")
        #expect(SystemdDuration.format(.nanoseconds(999)) == "0")
        #expect(SystemdDuration.format(.seconds(-90)) == "-1min 30s")
    }

    @Test(arguments: [
        ("", "it is empty"), (" ", "it is empty"), ("-1s", "it cannot be negative"),
        ("1s -2s", "it cannot be negative"), ("infinity", "it must end"), ("s", "a number must stand before 's'"),
        ("1.", "a digit must follow the point"), ("1.s", "a digit must follow the point"),
        ("1 . 5s", "a digit must follow the point"), ("1,5s", "',' is not a unit"), ("1e3", "'e' is not a unit"),
        ("+1s", "a number must stand before '+1s'"), ("1Min", "'Min' is not a unit; did you mean 'min'?"),
        ("3 secnds", "'secnds' is not a unit; did you mean 'second'?"), ("0x10", "'x' is not a unit"),
        ("1ns", "'ns' is not a unit; did you mean 'us' or 'ms'?"), ("99999999999999y", "it is too long"),
        ("292278y", "it is too long"), ("200000y 200000y", "it is too long"),
        ("99999999999999999999s", "it is too long"), ("١s", "a number must stand before '١s'"),
    ])
    func invalidDurationsAreErrors(text: String, reason: String) {
        let message = "'\(text)' is not a duration: \(reason); write for example 10s, 1min 30s or 250ms"
        do throws(SystemdDuration.Failure) {
            Issue.record("'\(text)' became \(try SystemdDuration.parse(text))")
        } catch {
            #expect(error.message == message)
        }
    }
}
