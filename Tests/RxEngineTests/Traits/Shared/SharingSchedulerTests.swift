import Dispatch
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct SharingSchedulerTests {
    @Test func defaultIsMainSchedulerUnlessMocked() {
        #expect(SharingScheduler.make() is MainScheduler)
        let scheduler = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: scheduler) {
            #expect(SharingScheduler.make() as? TestScheduler === scheduler)
            #expect(DriverSharingStrategy.scheduler as? TestScheduler === scheduler)
            let inner = TestScheduler(initialClock: 0)
            SharingScheduler.mock(makeScheduler: { inner }) {
                #expect(SignalSharingStrategy.scheduler as? TestScheduler === inner)
            }
            #expect(SharingScheduler.make() as? TestScheduler === scheduler)
        }
        #expect(SharingScheduler.make() is MainScheduler)
    }

    @Test func errorInsideActionRestoresScheduler() {
        #expect(throws: TestError.self) {
            try SharingScheduler.mock(scheduler: TestScheduler(initialClock: 0)) { throw TestError() }
        }
        #expect(SharingScheduler.make() is MainScheduler)
    }

    @Test func mocksOnDifferentThreadsAreIndependent() {
        let strangers = Cell(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let scheduler = TestScheduler(initialClock: 0)
            for _ in 0..<100 {
                SharingScheduler.mock(scheduler: scheduler) {
                    if SharingScheduler.make() as? TestScheduler !== scheduler { strangers.update { $0 += 1 } }
                }
                if SharingScheduler.make() is TestScheduler { strangers.update { $0 += 1 } }
            }
        }
        #expect(strangers.value == 0)
    }

    @Test func driverMayBeDrivenAnywhereInVirtualTime() {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: scheduler) {
            let subscription = Driver<Int>.interval(.seconds(10)).drive(onNext: { log.append($0) })
            scheduler.advanceTo(35)
            subscription.dispose()
        }
        #expect(log.value == [0, 1, 2])
    }
}
