import FoundationEssentials
import Glibc
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@testable import RxLinux

@Suite(.balanced) struct AlignedTicksTests {
    /// When an interval ticks that is subscribed at 0 and disposed at 100, where the time of day at 0 is `start` and
    /// jumps at the times of `jumps`, by so much.
    private func times(
        _ schedule: TickSchedule, start: Int, jumps: [Int: Int] = [:], asleep: [Int: Int] = [:],
        jitters: [Duration] = []
    ) -> [Int] {
        let scheduler = WallScheduler(start: start)
        let jumped = PublishSubject<Void>()
        for (time, span) in jumps {
            scheduler.base.scheduleAt(time) {
                scheduler.jump(by: span)
                jumped.onNext(())
            }
        }
        let log = Box<[Int]>([])
        let rest = Box(jitters)
        let subscription = Observable.ticks(schedule, scheduler: scheduler, jumps: jumped) { most in
            let jitter = rest.value.first ?? .zero
            rest.update { $0 = Array($0.dropFirst()) }
            return min(jitter, most)
        }
        .subscribe(onNext: { tick in
            #expect(tick == log.value.count)
            log.append(scheduler.base.clock)
            scheduler.base.sleep(asleep[tick] ?? 0)
        })
        scheduler.base.advanceTo(100)
        subscription.dispose()
        scheduler.base.start()
        return log.value
    }

    private static let quarter = TickSchedule(every: .seconds(20), align: .utc)

    @Test(arguments: [
        (quarter, 1003, [17, 37, 57, 77, 97]),
        // At a point, the next is waited for.
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
            // Ahead, over no point: it is reached sooner.
            ([10: 5], [12, 32, 52, 72, 92]),
            // Ahead over one: that is late, and told at once.
            ([10: 15], [10, 22, 42, 62, 82]),
            // Ahead over many, as after the host was suspended: they are one.
            ([10: 1010], [10, 27, 47, 67, 87]),
            // Back, over none: it is reached later.
            ([10: -5], [22, 42, 62, 82]),
            // Back just before one.
            ([17: -1], [18, 38, 58, 78, 98]),
            // A small step back over one that was told: it is not told twice.
            ([18: -3], [17, 40, 60, 80, 100]),
            // A large one: that point is half a period ago, or more, when it comes again.
            ([18: -10], [17, 27, 47, 67, 87]),
            ([18: -1000], [17, 37, 57, 77, 97]),
            // To and fro.
            ([25: 100, 30: -100], [17, 25, 37, 57, 77, 97]),
        ] as [([Int: Int], [Int])])
    func jumpsDoNoHarm(jumps: [Int: Int], expected: [Int]) {
        #expect(times(Self.quarter, start: 1003, jumps: jumps) == expected)
    }

    @Test func aJitterMakesATickLateAndMovesNoOther() {
        let schedule = TickSchedule(every: .seconds(20), jitter: .seconds(5), align: .utc)
        let jitters: [Duration] = [.seconds(4), .zero, .seconds(3), .seconds(5)]
        #expect(times(schedule, start: 1000, jitters: jitters) == [24, 40, 63, 85, 100])
    }

    @Test func whatIsMissedIsToldOnce() {
        #expect(times(Self.quarter, start: 1000, asleep: [0: 25]) == [20, 60, 80, 100])
        #expect(times(Self.quarter, start: 1000, asleep: [0: 55]) == [20, 80, 100])
    }

    @Test func anErrorOfTheClockEndsIt() {
        let scheduler = WallScheduler(start: 0)
        let log = Box<[String]>([])
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

    @Test func localDaysBeginAtLocalMidnight() async {
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

    @Test func theFarthestTimesAreNoTrap() {
        for every in [Duration.nanoseconds(1), .seconds(1), .seconds(Int64.max)] {
            let grid = WallGrid(TickSchedule(every: every, align: .utc), on: .utc)
            for time in [Int64.min, -1, 0, 1, .max] { #expect(grid.first(after: time) >= time) }
        }
    }
}

/// A virtual scheduler whose time of day jumps while its time goes on.
private final class WallScheduler: SchedulerType {
    let base = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
    private let shift: Box<Int>

    init(start: Int) {
        shift = Box(start)
    }

    func jump(by span: Int) {
        shift.update { $0 += span }
    }

    var now: RxTime { Date(timeIntervalSince1970: Double(shift.value + base.clock)) }
    var elapsed: Duration { base.elapsed }

    func schedule<State>(
        _ state: State, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        base.schedule(state, action: action)
    }

    func scheduleRelative<State>(
        _ state: State, dueTime: RxTimeInterval, action: @escaping @Sendable (State) -> any Disposable
    ) -> any Disposable {
        base.scheduleRelative(state, dueTime: dueTime, action: action)
    }
}
