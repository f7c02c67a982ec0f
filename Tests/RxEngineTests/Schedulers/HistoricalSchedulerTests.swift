import FoundationEssentials
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct HistoricalSchedulerTests {
    private func date(_ seconds: Double) -> RxTime { Date(timeIntervalSince1970: seconds) }

    @Test func clockStartsIn1970OrAtGivenDate() {
        #expect(HistoricalScheduler().clock == date(0))
        let scheduler = HistoricalScheduler(initialClock: date(50))
        #expect(scheduler.clock == date(50))
        #expect(scheduler.now == date(50))
    }

    @Test func actionsRunAtTheirDates() {
        let log = Cell<[Double]>([])
        let scheduler = HistoricalScheduler(initialClock: date(100))
        @Sendable func note() -> any Disposable {
            log.append(scheduler.now.timeIntervalSince1970)
            return Disposables.create()
        }
        _ = scheduler.scheduleRelative((), dueTime: .milliseconds(2500)) { note() }
        _ = scheduler.scheduleRelativeVirtual((), dueTime: 1.5) { note() }
        _ = scheduler.scheduleAbsoluteVirtual((), time: date(200)) { note() }
        _ = scheduler.schedule(()) { note() }
        scheduler.advanceTo(date(150))
        #expect(log.value == [100, 101.5, 102.5])
        #expect(scheduler.clock == date(150))
        scheduler.sleep(10)
        #expect(scheduler.clock == date(160))
        scheduler.start()
        #expect(log.value == [100, 101.5, 102.5, 200])
    }

    @Test func unitsAreDatesAndSeconds() {
        let converter = HistoricalSchedulerTimeConverter()
        #expect(converter.convertFromVirtualTime(date(5)) == date(5))
        #expect(converter.convertToVirtualTime(date(5)) == date(5))
        #expect(converter.convertFromVirtualTimeInterval(1.5) == 1.5)
        #expect(converter.convertToVirtualTimeInterval(1.5) == 1.5)
        #expect(converter.offsetVirtualTime(date(5), offset: 1.5) == date(6.5))
        #expect(converter.compareVirtualTime(date(1), date(2)) == .lessThan)
        #expect(converter.compareVirtualTime(date(2), date(2)) == .equal)
        #expect(converter.compareVirtualTime(date(3), date(2)) == .greaterThan)
    }
}
