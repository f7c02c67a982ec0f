import RxEngine
import TestSupport
import Testing

/// Runs a scheduled action before it has returned the handle to cancel it, as another thread may. It does so up to a
/// depth, so that an endless recursion does not exhaust the stack.
private final class EagerScheduler: SchedulerType {
    private let waiting = Cell<[@Sendable () -> Void]>([])
    private let depth = Cell(0)

    var now: RxTime { RxTime() }

    func schedule<StateType>(
        _ state: StateType, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        let cancel = BooleanDisposable()
        let state = Given(value: state)
        let run: @Sendable () -> Void = { if !cancel.isDisposed { _ = action(state.value) } }
        if depth.value < 3 {
            depth.update { $0 += 1 }
            run()
            depth.update { $0 -= 1 }
        } else {
            waiting.append(run)
        }
        return cancel
    }

    func scheduleRelative<StateType>(
        _ state: StateType, dueTime: RxTimeInterval, action: @escaping @Sendable (StateType) -> any Disposable
    ) -> any Disposable {
        schedule(state, action: action)
    }

    /// Runs the deferred actions, and those that they defer, for a number of rounds.
    func work(_ rounds: Int) {
        for _ in 0..<rounds {
            let batch = waiting.value
            waiting.update { $0 = [] }
            batch.forEach { $0() }
        }
    }

    func drop() {
        waiting.update { $0 = [] }
    }

    // Unchecked: passed to one action only.
    private struct Given<Value>: @unchecked Sendable {
        let value: Value
    }
}

@Suite(.balanced) struct EagerSchedulerTests {
    @Test func sequenceOnEagerSchedulerLosesNothing() {
        let scheduler = EagerScheduler()
        let log = Cell<[Event<Int>]>([])
        let subscription = Observable.from(0..<20, scheduler: scheduler).subscribe { log.append($0) }
        scheduler.work(20)
        #expect(log.value.compactMap(\.element) == Array(0..<20))
        #expect(log.value.last?.isCompleted == true)
        subscription.dispose()
    }

    @Test func intervalContinuesOnEagerScheduler() {
        let scheduler = EagerScheduler()
        let log = Cell<[Int]>([])
        let subscription = Observable<Int>.interval(.seconds(1), scheduler: scheduler).subscribe(onNext: {
            log.append($0)
        })
        scheduler.work(10)
        #expect(log.value.count > 10)
        subscription.dispose()
        let count = log.value.count
        scheduler.work(5)
        #expect(log.value.count == count)
        scheduler.drop()
    }

    /// The span of an element ends before the operator has stored the timer.
    @Test func auditTimeOnEagerSchedulerEmitsEachElement() {
        let scheduler = EagerScheduler()
        let log = Cell<[Event<Int>]>([])
        let subscription = Observable.of(1, 2, 3).auditTime(.seconds(1), scheduler: scheduler).subscribe {
            log.append($0)
        }
        #expect(log.value == [.next(1), .next(2), .next(3), .completed])
        subscription.dispose()
    }

    /// The grace period ends before the slot has stored its timer.
    @Test func gracePeriodOnEagerSchedulerStopsRunAtOnce() {
        let scheduler = EagerScheduler()
        let source = PublishSubject<Int>()
        let shared = source.share(replay: 1, scope: .whileConnected(grace: .seconds(1), scheduler: scheduler))
        for _ in 1...2 {
            let subscription = shared.subscribe()
            #expect(source.hasObservers)
            subscription.dispose()
            #expect(!source.hasObservers)
        }
        let subscription = shared.subscribe()
        source.onNext(1)
        #expect(source.hasObservers)
        subscription.dispose()
    }
}
