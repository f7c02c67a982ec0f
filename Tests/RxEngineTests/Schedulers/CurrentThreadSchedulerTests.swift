import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct CurrentThreadSchedulerTests {
    private func schedule(_ action: @escaping @Sendable () -> Void) -> any Disposable {
        CurrentThreadScheduler.instance.schedule(()) {
            action()
            return Disposables.create()
        }
    }

    @Test func nestedActionsRunAfterwards() {
        let log = Cell<[Int]>([])
        #expect(CurrentThreadScheduler.isScheduleRequired)
        _ = schedule {
            #expect(!CurrentThreadScheduler.isScheduleRequired)
            _ = schedule {
                log.append(3)
                _ = schedule { log.append(5) }
            }
            _ = schedule { log.append(4) }
            log.append(1)
            log.append(2)
        }
        #expect(log.value == [1, 2, 3, 4, 5])
        #expect(CurrentThreadScheduler.isScheduleRequired)
    }

    @Test func disposedActionIsSkipped() {
        let log = Cell<[Int]>([])
        _ = schedule {
            _ = schedule { log.append(1) }
            schedule { log.append(2) }.dispose()
            _ = schedule { log.append(3) }
        }
        #expect(log.value == [1, 3])
    }

    @Test func disposableReturnedByActionIsDisposedWithIt() {
        let log = Cell<[String]>([])
        _ = schedule {
            let item = CurrentThreadScheduler.instance.schedule(()) {
                log.append("ran")
                return Disposables.create { log.append("disposed") }
            }
            _ = schedule { item.dispose() }
        }
        #expect(log.value == ["ran", "disposed"])
    }

    @Test func deepRecursionKeepsStackBounded() {
        let count = Cell(0)
        @Sendable func again(_ left: Int) -> any Disposable {
            count.update { $0 += 1 }
            return left == 0 ? Disposables.create() : CurrentThreadScheduler.instance.schedule(left - 1, action: again)
        }
        // Each handle retains the next, so this also proves that releasing them is not recursive.
        _ = CurrentThreadScheduler.instance.schedule(100_000) { left in
            _ = again(left)
            return Disposables.create()
        }
        #expect(count.value == 100_001)
    }
}
