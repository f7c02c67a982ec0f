import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ScheduledDisposableTests {
    @Test func disposesOnScheduler() {
        let log = Cell<[Int]>([])
        let scheduler = TestScheduler(initialClock: 0)
        let disposable = ScheduledDisposable(
            scheduler: scheduler, disposable: Disposables.create { [scheduler] in log.append(scheduler.clock) })
        #expect(disposable.scheduler as? TestScheduler === scheduler)
        scheduler.scheduleAt(10) {
            disposable.dispose()
            disposable.dispose()
            #expect(!disposable.isDisposed)
        }
        scheduler.start()
        #expect(log.value == [11])
        #expect(disposable.isDisposed)
    }
}
