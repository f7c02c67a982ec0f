import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct IfEmptyTests {
    static let table: [Rule<Int, Int>] = [
        Rule(
            "empty", { $0.ifEmpty(default: 0) }, of: [.completed(250)], is: [.next(250, 0), .completed(250)],
            left: 250),
        Rule(
            "not empty", { $0.ifEmpty(default: 0) }, of: [.next(210, 1), .completed(250)],
            is: [.next(210, 1), .completed(250)], left: 250),
        Rule(
            "not empty, with a sequence", { $0.ifEmpty(switchTo: .just(0)) }, of: [.next(210, 1), .completed(250)],
            is: [.next(210, 1), .completed(250)], left: 250),
        Rule(
            "a sequence that fails", { $0.ifEmpty(switchTo: .error(TestError())) }, of: [.completed(250)],
            is: [.error(250, TestError())], left: 250),
    ]

    @Test(arguments: table) func rules(_ rule: Rule<Int, Int>) {
        rule.check()
    }

    @Test func otherIsSubscribedToAtCompletion() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.completed(220, Int.self)])
        let other = scheduler.createColdObservable([.next(10, 1), .completed(20)])
        let observer = scheduler.start { source.ifEmpty(switchTo: other.asObservable()) }
        #expect(observer.events == [.next(230, 1), .completed(240)])
        #expect(source.subscriptions == [Subscription(200, 220)])
        #expect(other.subscriptions == [Subscription(220, 240)])
    }

    /// This holds also if the source ends inside its own start.
    @Test(arguments: [false, true]) func sourceIsReleasedBeforeOtherIsSubscribedTo(_ isSynchronous: Bool) {
        let log = Cell<[String]>([])
        let ends = PublishSubject<Int>()
        let source = Observable<Int>.create { observer in
            if isSynchronous { observer.onCompleted() }
            return Disposables.create(ends.subscribe(observer), Disposables.create { log.append("freed") })
        }
        let other = Observable<Int>.create { _ in
            log.append("subscribed")
            return Disposables.create()
        }
        let subscription = source.ifEmpty(switchTo: other).subscribe()
        ends.onCompleted()
        #expect(log.value == ["freed", "subscribed"])
        subscription.dispose()
    }

    @Test func otherIsReleasedWithSubscription() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.completed(220, Int.self)])
        let other = scheduler.createColdObservable([.next(10, 1), .completed(100)])
        let observer = scheduler.start(disposed: 250) { source.ifEmpty(switchTo: other.asObservable()) }
        #expect(observer.events == [.next(230, 1)])
        #expect(other.subscriptions == [Subscription(220, 250)])
    }

    @Test func otherMayRunOnTrampoline() async throws {
        let inside = Observable<Int>.empty().ifEmpty(switchTo: .of(1, 2))
        #expect(emitted(by: inside) == [.next(1), .next(2), .completed])
        let subject = PublishSubject<Int>()
        let log = EventLog<Int>()
        _ = subject.ifEmpty(switchTo: .of(1, 2)).subscribe(log)
        subject.onCompleted()
        #expect(log.events == [.next(1), .next(2), .completed])
    }

    /// The end of the source that the operator replaces must still stop a source that continues by itself.
    @Test func endlessSourceThatCompletesIsStopped() {
        let source = Observable.repeatElement(1).take(while: { _ in false }).ifEmpty(switchTo: .just(2))
        #expect(emitted(by: source) == [.next(2), .completed])
        #expect(emitted(by: Observable.repeatElement(1).ifEmpty(switchTo: .just(2)).take(1)) == [.next(1), .completed])
    }

    @Test func defaultIsNotEmittedAfterDisposal() {
        let (stop, calls) = (PublishSubject<Int>(), Cell(0))
        let source = Observable<Int>.source { sink in
            stop.onNext(1)
            sink.completed()
            return Disposables.create()
        }
        let result = source.ifEmpty(default: 1).map { _ in calls.update { $0 += 1 } }.take(until: stop)
        _ = result.subscribe()
        #expect(calls.value == 0)
    }

    @Test func otherIsNotSubscribedToAfterDisposal() {
        let (stop, runs) = (PublishSubject<Int>(), Cell(0))
        let source = Observable<Int>.create { observer in
            stop.onNext(1)
            observer.onCompleted()
            return Disposables.create()
        }
        let other = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return .never()
        }
        #expect(emitted(by: source.ifEmpty(switchTo: other).take(until: stop)) == [.completed])
        #expect(runs.value == 0)
    }
}
