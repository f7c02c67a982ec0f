import Glibc
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct RetryWhenTests {
    typealias Events = [Recorded<Event<Int>>]

    static let failing: Events = [.next(10, 1), .error(20, TestError())]

    /// Rules with notifications that do not depend on the errors.
    static let table:
        [(name: String, source: Events, notifications: Events, result: Events, runs: [Subscription], left: Int)] = [
            (
                "no error", [.next(10, 1), .completed(20)], [.next(205, 0)], [.next(210, 1), .completed(220)],
                [Subscription(200, 220)], 220
            ),
            (
                "a notification retries", failing, [.next(300, 0)], [.next(210, 1), .next(310, 1)],
                [Subscription(200, 220), Subscription(300, 320)], 1000
            ),
            (
                "notifications during an attempt are ignored", failing, [.next(215, 0)], [.next(210, 1)],
                [Subscription(200, 220)], 1000
            ),
            (
                "completion of the notifications completes the result", failing, [.next(300, 0), .completed(400)],
                [.next(210, 1), .next(310, 1), .completed(400)],
                [Subscription(200, 220), Subscription(300, 320)], 400
            ),
            (
                "completion during an attempt completes the result at the next error", failing, [.completed(205)],
                [.next(210, 1), .completed(220)], [Subscription(200, 220)], 205
            ),
            (
                "an error of the notifications fails the result", failing, [.error(300, TestError("notification"))],
                [.next(210, 1), .error(300, TestError("notification"))], [Subscription(200, 220)], 300
            ),
        ]

    @Test(arguments: table)
    func rules(
        name: String, source: Events, notifications: Events, result: Events, runs: [Subscription], left: Int
    ) {
        let calls = Cell(0)
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable(source)
        let hot = scheduler.createHotObservable(notifications)
        let observer = scheduler.start {
            cold.retry { (_: Observable<any Error>) in
                calls.update { $0 += 1 }
                return hot
            }
        }
        #expect(observer.events == result)
        #expect(cold.subscriptions == runs)
        #expect(hot.subscriptions == [Subscription(200, left)])
        #expect(calls.value == 1)
    }

    @Test func eachErrorMayBeDelayed() {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable(Self.failing)
        let observer = scheduler.start {
            cold.retry { errors in
                errors.flatMap { _ in Observable<Int>.timer(.seconds(50), scheduler: scheduler) }.take(2)
            }
        }
        // The second notification also ends the notifications, which takes effect at the next error.
        #expect(observer.events == [.next(210, 1), .next(280, 1), .next(350, 1), .completed(360)])
        #expect(cold.subscriptions == [Subscription(200, 220), Subscription(270, 290), Subscription(340, 360)])
    }

    /// The notifications emit an element and end on another thread, while the thread that failed still emits the error.
    @Test func notificationsFromAnotherThreadDoNotOverlapWithNextAttempt() {
        let log = Cell<[String]>([])
        let runs = Cell(0)
        let isNotified = Cell(false)
        let source = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return .just(runs.value).concat(.error(TestError()))
        }
        let ended = Cell(false)
        let subscription = source.retry { (errors: Observable<any Error>) in
            Observable<Int>.create { observer in
                errors.subscribe(onNext: { _ in
                    let thread = Thread {
                        observer.onNext(1)
                        observer.onCompleted()
                        isNotified.update { $0 = true }
                    }
                    // Until the result has ended or the notifications are done.
                    while !isNotified.value, !ended.value { sched_yield() }
                    if isNotified.value { thread.join() }
                })
            }
        }.subscribe(
            onNext: { log.append("next \($0)") },
            onCompleted: {
                log.append("completed")
                ended.update { $0 = true }
                // Gives another thread the time to deliver more, if it may.
                for _ in 0..<10_000 { sched_yield() }
                log.append("returned")
            })
        while log.value.last != "returned" { sched_yield() }
        #expect(log.value == ["next 1", "completed", "returned"])
        #expect(runs.value == 1)
        subscription.dispose()
    }

    @Test func notificationsThatEndInsideTheirStartAreReleasedBeforeSourceStarts() {
        let log = Cell<[String]>([])
        let notifications = Observable<Int>.create { observer in
            observer.onCompleted()
            log.append("notifications")
            return Disposables.create { log.append("freed") }
        }
        let source = Observable<Int>.deferred {
            log.append("source")
            return .error(TestError())
        }
        #expect(emitted(by: source.retry { (_: Observable<any Error>) in notifications }) == [.completed])
        #expect(log.value == ["notifications", "freed", "source"])
    }

    @Test func disposingDuringStartDisposesNotificationsFirst() {
        let log = Cell<[String]>([])
        let again = PublishSubject<Int>()
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            log.append("started")
            observer.onError(TestError())
            return Disposables.create()
        }
        let subscription = source.retry { (errors: Observable<any Error>) in
            errors.flatMap { _ in again.do(onDispose: { log.append("freed") }) }
        }.take(2).subscribe()
        again.onNext(0)
        #expect(log.value == ["started", "freed", "started"])
        subscription.dispose()
    }

    @Test func endOfNotificationsEndsResultImmediately() {
        let log = Cell<[String]>([])
        let subscription = Observable<Int>.error(TestError()).retry { (errors: Observable<any Error>) in
            errors.flatMap { _ in
                Observable<Int>.create { observer in
                    observer.onError(TestError())
                    log.append("returned")
                    return Disposables.create()
                }
            }
        }.subscribe(onError: { _ in log.append("error") })
        #expect(log.value == ["error", "returned"])
        subscription.dispose()
    }

    @Test func failedSourceIsReleasedBeforeErrorIsNotified() {
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let subscription = subject.do(onDispose: { log.append("freed") }).retry { errors in
            errors.do(onNext: { (_: any Error) in log.append("error") }).flatMap { _ in Observable<Int>.never() }
        }.subscribe()
        subject.onError(TestError())
        #expect(log.value == ["freed", "error"])
        subscription.dispose()
    }

    /// The last element of `take` is at once its end, which ends the result before another attempt begins.
    @Test(arguments: [1, 2, 3]) func takeOnErrorsLimitsAttempts(_ attempts: Int) {
        let runs = Cell(0)
        let source = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return .just(runs.value).concat(.error(TestError()))
        }
        let events = emitted(by: source.retry { $0.take(attempts) })
        #expect(runs.value == attempts)
        #expect(events == (1...attempts).map { .next($0) } + [.completed])
    }

    @Test func takeOnErrorsLimitsAttemptsOfAsynchronousSource() {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable(Self.failing)
        let observer = scheduler.start { cold.retry { $0.take(2) } }
        #expect(observer.events == [.next(210, 1), .next(230, 1), .completed(240)])
        #expect(cold.subscriptions == [Subscription(200, 220), Subscription(220, 240)])
    }

    private struct OtherError: Error {}

    @Test func errorOfOtherTypePasses() {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable(Self.failing)
        let observer = scheduler.start { cold.retry { (errors: Observable<OtherError>) in errors } }
        #expect(observer.events == [.next(210, 1), .error(220, TestError())])
        #expect(cold.subscriptions == [Subscription(200, 220)])
    }

    @Test func checkpointKeepsErrorType() {
        let scheduler = TestScheduler(initialClock: 0)
        let cold = scheduler.createColdObservable(Self.failing)
        let observer = scheduler.start {
            cold.asObservable().checkpoint("here").retry { (errors: Observable<TestError>) in errors.take(2) }
        }
        #expect(observer.events == [.next(210, 1), .next(230, 1), .completed(240)])
    }

    @Test func errorsAreNotified() {
        let seen = Cell<[String]>([])
        let runs = Cell(0)
        let log = Cell<[Event<Int>]>([])
        let source = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return .error(TestError("\(runs.value)"))
        }
        _ = source.retry { (errors: Observable<TestError>) in
            errors.map { error in
                seen.append(error.name)
                if error.name == "3" { throw TestError("enough") }
            }
        }.subscribe { log.append($0) }
        #expect(seen.value == ["1", "2", "3"])
        #expect(log.value == [.error(TestError("enough"))])
    }

    @Test func synchronousFailuresTakeNoStack() {
        onSmallStack {
            let runs = Cell(0)
            let count = 100_000
            let nested = Cell(0)
            let source = Observable<Int>.deferred {
                runs.update { $0 += 1 }
                return runs.value == count ? .just(1) : .error(TestError())
            }
            let log = Cell<[Event<Int>]>([])
            _ = source.retry { errors in
                errors.map { _ in
                    nested.update { $0 += 1 }
                    return nested.value
                }.do(onNext: { _ in nested.update { $0 -= 1 } })
            }.subscribe { log.append($0) }
            #expect(log.value == [.next(1), .completed])
            #expect(runs.value == count)
        }
    }

    @Test func disposingDuringWaitUnsubscribes() {
        let (source, notifications) = (PublishSubject<Int>(), PublishSubject<Int>())
        let runs = Cell(0)
        let handle = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return runs.value == 1 ? .error(TestError()) : source
        }.retry { _ in notifications }.subscribe()
        #expect(notifications.hasObservers)
        handle.dispose()
        #expect(!notifications.hasObservers)
        notifications.onNext(1)
        #expect(runs.value == 1)
    }

    @Test func endlessRetryIsStoppedFromDownstream() {
        let log = Cell<[Int]>([])
        _ = Observable.just(1).concat(Observable.error(TestError())).retry { $0 }.take(3).subscribe(onNext: {
            log.append($0)
        })
        #expect(log.value == [1, 1, 1])
    }
}
