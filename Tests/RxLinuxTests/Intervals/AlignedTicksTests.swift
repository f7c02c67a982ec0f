import Glibc
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxLinux

@Suite(.balanced) struct AlignedTicksTests {
    /// The ticks of an interval that is subscribed to at 0 and disposed at `end`, where the time of day is `start` at 0
    /// and jumps at the times of `jumps` by the given amounts.
    private func times(
        _ schedule: TickSchedule, start: Int, jumps: [Int: Int] = [:], asleep: [Int: Int] = [:],
        jitters: [Duration] = [], until end: Int = 100
    ) -> [Int] {
        let scheduler = WallScheduler(TestScheduler(initialClock: 0, simulateProcessingDelay: false), start: start)
        let jumped = PublishSubject<Void>()
        for (time, span) in jumps {
            scheduler.base.scheduleAt(time) {
                scheduler.jump(by: span)
                jumped.onNext(())
            }
        }
        let log = Cell<[Int]>([])
        let rest = Cell(jitters)
        let subscription = Observable.ticks(schedule, scheduler: scheduler, jumps: jumped) { maximum in
            let jitter = rest.value.first ?? .zero
            rest.update { $0 = Array($0.dropFirst()) }
            return min(jitter, maximum)
        }
        .subscribe(onNext: { tick in
            #expect(tick == log.value.count)
            log.append(scheduler.base.clock)
            scheduler.base.sleep(asleep[tick] ?? 0)
        })
        scheduler.base.advanceTo(end)
        subscription.dispose()
        scheduler.base.start()
        return log.value
    }

    private static let quarter = TickSchedule(every: .seconds(20), align: .utc)

    @Test(arguments: [
        (quarter, 1003, [17, 37, 57, 77, 97]),
        // Subscribed at a point, it waits for the next.
        (quarter, 1000, [20, 40, 60, 80, 100]),
        (TickSchedule(every: .seconds(20), delay: .seconds(5), align: .utc), 1003, [2, 22, 42, 62, 82]),
        (TickSchedule(every: .seconds(20), delay: .seconds(25), align: .utc), 1003, [2, 22, 42, 62, 82]),
        (TickSchedule(every: .seconds(3600), align: .utc), 3560, [40]),
        (quarter, -7, [7, 27, 47, 67, 87]),
    ])
    func ticksOnMultiples(schedule: TickSchedule, start: Int, expected: [Int]) {
        #expect(times(schedule, start: start) == expected)
    }

    @Test(
        arguments: [
            // Ahead, over no point: the next is reached sooner.
            ([10: 5], [12, 32, 52, 72, 92]),
            // Ahead over one point: that is late, and emitted at once.
            ([10: 15], [10, 22, 42, 62, 82]),
            // Ahead over many points, as after a suspension of the host: they are one tick.
            ([10: 1010], [10, 27, 47, 67, 87]),
            // Back, over none: the next is reached later.
            ([10: -5], [22, 42, 62, 82]),
            // Back just before one.
            ([17: -1], [18, 38, 58, 78, 98]),
            // A small step back over an emitted point: it is not emitted twice.
            ([18: -3], [17, 40, 60, 80, 100]),
            // A large one: the point is at least half a period ago when it is reached again.
            ([18: -10], [17, 27, 47, 67, 87]),
            ([18: -1000], [17, 37, 57, 77, 97]),
            // Back and forth.
            ([25: 100, 30: -100], [17, 25, 37, 57, 77, 97]),
        ] as [([Int: Int], [Int])])
    func clockJumpsKeepAlignment(jumps: [Int: Int], expected: [Int]) {
        #expect(times(Self.quarter, start: 1003, jumps: jumps) == expected)
    }

    @Test func jitterDelaysSingleTicks() {
        let schedule = TickSchedule(every: .seconds(20), jitter: .seconds(5), align: .utc)
        let jitters: [Duration] = [.seconds(4), .zero, .seconds(3), .seconds(5)]
        #expect(times(schedule, start: 1000, jitters: jitters) == [24, 40, 63, 85, 100])
    }

    @Test func missedTicksAreEmittedOnce() {
        #expect(times(Self.quarter, start: 1000, asleep: [0: 25]) == [20, 60, 80, 100])
        #expect(times(Self.quarter, start: 1000, asleep: [0: 55]) == [20, 80, 100])
    }

    @Test func clockErrorEndsInterval() {
        let scheduler = WallScheduler(TestScheduler(initialClock: 0, simulateProcessingDelay: false))
        let log = Cell<[String]>([])
        Observable.ticks(Self.quarter, scheduler: scheduler, jumps: .error(TestError()))
            .subscribe(onError: { error in log.append("\(error)") })
            .dispose()
        scheduler.base.start()
        #expect(log.value == ["test error"])
    }

    // MARK: the local time

    private func date(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int = 0) -> Int64 {
        var parts = tm()
        parts.tm_year = 126
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_hour = Int32(hour)
        parts.tm_min = Int32(minute)
        return Int64(timegm(&parts)) * 1_000_000_000
    }

    @Test func localDaysStartAtLocalMidnight() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
            tzset()
            let tests = AlignedTicksTests()
            let day = TickSchedule(every: .seconds(86400), align: .local)
            let hours = TickSchedule(every: .seconds(3600), delay: .seconds(900), align: .local)
            let night = TickSchedule(every: .seconds(86400), delay: .seconds(2 * 3600 + 1800), align: .local)
            let table: [(TickSchedule, Int64, [Int64])] = [
                // Winter, the day the clocks go forward, summer.
                (day, tests.date(3, 28, 12), [tests.date(3, 28, 23), tests.date(3, 29, 22), tests.date(3, 30, 22)]),
                (
                    day, tests.date(10, 24, 12),
                    [tests.date(10, 24, 22), tests.date(10, 25, 23), tests.date(10, 26, 23)]
                ),
                (
                    hours, tests.date(3, 29, 0, 0),
                    [tests.date(3, 29, 0, 15), tests.date(3, 29, 1, 15), tests.date(3, 29, 2, 15)]
                ),
                (
                    hours, tests.date(10, 25, 0, 0),
                    [tests.date(10, 25, 0, 15), tests.date(10, 25, 1, 15), tests.date(10, 25, 2, 15)]
                ),
                // Half past two does not exist on that day.
                (
                    night, tests.date(3, 28, 12),
                    [tests.date(3, 29, 1, 30), tests.date(3, 30, 0, 30), tests.date(3, 31, 0, 30)]
                ),
            ]
            for (schedule, start, expected) in table {
                let grid = WallGrid(schedule, on: .local)
                var time = start
                let points = expected.map { _ in
                    time = grid.first(after: time)
                    return time
                }
                #expect(points == expected, "\(schedule) from \(start)")
            }
        }
    }

    /// Each night at 2:30 local time through both changes of the clocks, in hours, with a clock that is set and a host
    /// that is suspended in these nights.
    @Test func localNightsContinueThroughClockChanges() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1)
            tzset()
            let tests = AlignedTicksTests()
            let hour = 3600
            let night = TickSchedule(every: .seconds(24 * hour), delay: .seconds(2 * hour + 1800), align: .local)
            func hours(_ month: Int, _ day: Int, jumps: [Int: Int] = [:]) -> [Double] {
                let start = Int(tests.date(month, day, 0) / 1_000_000_000)
                let jumps = Dictionary(uniqueKeysWithValues: jumps.map { ($0 * hour / 2, $1 * hour / 2) })
                return tests.times(night, start: start, jumps: jumps, until: 96 * hour).map {
                    Double($0) / Double(hour)
                }
            }
            // The clocks go forward at 25, and 2:30 is skipped; they go back at 25, and it occurs twice.
            #expect(hours(3, 28) == [1.5, 25.5, 48.5, 72.5])
            #expect(hours(10, 24) == [0.5, 24.5, 49.5, 73.5])
            // Set ahead over the change, by three hours: the skipped point is one tick, at once.
            #expect(hours(3, 28, jumps: [48: 6]) == [1.5, 24, 45.5, 69.5, 93.5])
            #expect(hours(10, 24, jumps: [48: 6]) == [0.5, 24, 46.5, 70.5, 94.5])
            // Set back by an hour after the tick: a point less than half a period ago is not emitted twice.
            #expect(hours(3, 28, jumps: [52: -2]) == [1.5, 25.5, 49.5, 73.5])
            #expect(hours(10, 24, jumps: [50: -2]) == [0.5, 24.5, 50.5, 74.5])
            // Suspended for two days over the change: one tick.
            #expect(hours(3, 28, jumps: [40: 96]) == [1.5, 20, 24.5, 48.5, 72.5])
        }
    }

    /// An interval without alignment does not depend on the time of day.
    @Test(arguments: [[:], [10: 3600], [10: -3600], [5: 1, 25: -1_000_000, 45: 1_000_000]] as [[Int: Int]])
    func jumpsDoNotMoveIntervalWithoutAlignment(jumps: [Int: Int]) {
        #expect(times(TickSchedule(every: .seconds(20)), start: 1003, jumps: jumps) == [20, 40, 60, 80, 100])
    }

    @Test func extremeTimesDoNotTrap() {
        for every in [Duration.nanoseconds(1), .seconds(1), .seconds(Int64.max)] {
            let grid = WallGrid(TickSchedule(every: every, align: .utc), on: .utc)
            for time in [Int64.min, -1, 0, 1, .max] { #expect(grid.first(after: time) >= time) }
        }
    }
}
