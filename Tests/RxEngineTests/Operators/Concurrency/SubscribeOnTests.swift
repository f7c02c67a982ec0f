import Dispatch
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct SubscribeOnTests {
    private static let moved: TimedRule<Int>.Operation = { $0.subscribe(on: $1) }

    static let rules: [TimedRule<Int>] = [
        .init("never", moved, of: [], is: [], from: 201, to: 1001),
        .init(
            "events are not delayed", moved, of: [.at(201), .at(210), .completed(220)],
            is: [.at(210), .completed(220)], from: 201, to: 220),
        .init(
            "an error", moved, of: [.error(220, TestError())], is: [.error(220, TestError())], from: 201, to: 220),
        .init("disposed", moved, of: [.at(210), .at(310)], is: [.at(210)], from: 201, to: 301, disposed: 300),
    ]

    @Test(arguments: rules) func rule(_ rule: TimedRule<Int>) {
        rule.check()
    }

    /// A scheduler that never runs again must not retain the source.
    @Test func endedSourceIsReleasedWithoutScheduler() {
        let scheduler = TestScheduler(initialClock: 0)
        let subject = PublishSubject<Int>()
        let log = Cell<[String]>([])
        _ = subject.do(onDispose: { log.append("freed") }).subscribe(on: scheduler).subscribe { log.append("\($0)") }
        scheduler.start()
        subject.onCompleted()
        #expect(log.value == ["completed", "freed"])
    }

    /// The endless source occupies the scheduler, which therefore never runs the unsubscription.
    @Test func endlessSourceStopsWhenDisposedInside() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.at(210)])
        let runs = Cell(0)
        let observer = scheduler.start {
            hot.asObservable().flatMap { _ in
                Observable.repeatElement(7).map { number -> Int in
                    runs.update { $0 += 1 }
                    if runs.value > 1000 { throw TestError("the source continues") }
                    return number
                }
            }.subscribe(on: scheduler).take(2)
        }
        #expect(observer.events == [.next(210, 7), .next(210, 7), .completed(210)])
        #expect(runs.value == 2)
    }

    @Test func disposeStopsDeliveryAtOnceAndUnsubscribesOnScheduler() {
        let scheduler = TestScheduler(initialClock: 0)
        let subject = PublishSubject<Int>()
        let log = Cell<[String]>([])
        let subscription = subject.map { number in
            log.append("map")
            return number
        }.do(onDispose: { log.append("freed") }).subscribe(on: scheduler).subscribe { log.append("\($0)") }
        scheduler.start()
        subscription.dispose()
        subject.onNext(1)
        #expect(!log.value.contains("next(1)") && !log.value.contains("freed"))
        scheduler.start()
        #expect(log.value.last == "freed")
        #expect(!subject.hasObservers)
    }

    @Test func disposeBeforeScheduledSubscriptionCancelsIt() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.at(210)])
        let handle = SerialDisposable()
        scheduler.scheduleAt(200) {
            handle.disposable = hot.asObservable().subscribe(on: scheduler).subscribe(onNext: { _ in })
            handle.dispose()
        }
        scheduler.start()
        #expect(hot.subscriptions.isEmpty)
    }

    /// A scheduler that never runs an action.
    private struct SchedulerThatRunsNothing: ImmediateSchedulerType {
        let scheduled = Cell(0)

        func schedule<State>(_ state: State, action: @escaping @Sendable (State) -> any Disposable) -> any Disposable {
            scheduled.update { $0 += 1 }
            return Disposables.create()
        }
    }

    @Test func disposingBeforeSubscriptionSchedulesNoUnsubscription() {
        let scheduler = SchedulerThatRunsNothing()
        Observable.just(1).subscribe(on: scheduler).subscribe().dispose()
        #expect(scheduler.scheduled.value == 1)
    }

    @Test func nothingIsSubscribedToAfterEnd() {
        let (stop, runs) = (PublishSubject<Int>(), Cell(0))
        let source = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return .never()
        }
        let stopped = source.subscribe(on: SchedulerThatRunsAtOnce()).do(onSubscribe: { stop.onNext(1) })
            .take(until: stop)
        #expect(emitted(by: stopped) == [.completed])
        #expect(runs.value == 0)
    }

    private static let key: DispatchSpecificKey<String> = .init()

    @Test func subscriptionAndUnsubscriptionRunOnQueue() async throws {
        let queue = DispatchQueue(label: "subscribing")
        queue.setSpecific(key: Self.key, value: "there")
        let scheduler = SerialDispatchQueueScheduler(queue: queue, internalSerialQueueName: "on it")
        let log = Cell<[String?]>([])
        let source = Observable<Int>.create { observer in
            log.append(DispatchQueue.getSpecific(key: Self.key))
            observer.onNext(1)
            return Disposables.create { log.append(DispatchQueue.getSpecific(key: Self.key)) }
        }
        let subscription = source.subscribe(on: scheduler).subscribe(onNext: { _ in log.append("next") })
        try await eventually("the source was subscribed to") { log.value.count == 2 }
        subscription.dispose()
        try await eventually("the source was disposed") { log.value.count == 3 }
        #expect(log.value == ["there", "next", "there"])
    }

    /// A source on the scheduler's thread starts on that thread's trampoline, as every outermost source does.
    @Test func sourcesStartOnTrampolineOfSchedulersThread() async throws {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let log = Cell<[Int]>([])
        let isOver = Cell(false)
        let both = Observable.combineLatest(Observable.of(1, 2, 3), Observable.of(10, 20)) { $0 + $1 }
        _ = both.subscribe(on: scheduler)
            .subscribe(onNext: { log.append($0) }, onCompleted: { isOver.update { $0 = true } })
        try await eventually("the sequence has ended") { isOver.value }
        #expect(log.value == [11, 12, 22, 23])
    }
}

/// A scheduler that runs an action inside the call that schedules it.
struct SchedulerThatRunsAtOnce: ImmediateSchedulerType {
    func schedule<State>(_ state: State, action: @escaping @Sendable (State) -> any Disposable) -> any Disposable {
        action(state)
    }
}
