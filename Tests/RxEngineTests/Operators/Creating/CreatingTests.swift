import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Sources without a clock: what they emit, and when, on the current thread and on a scheduler.
@Suite(.balanced) struct CreatingTests {
    private func events<Element: Sendable>(_ source: Observable<Element>) -> [Event<Element>] {
        let log = Cell<[Event<Element>]>([])
        _ = source.subscribe { log.append($0) }
        return log.value
    }

    @Test func synchronousSourcesEmitInsideSubscribe() {
        #expect(events(.just(1)) == [.next(1), .completed])
        #expect(events(Observable<Int>.empty()) == [.completed])
        #expect(events(Observable<Int>.never()) == [])
        #expect(events(Observable<Int>.error(TestError("e"))) == [.error(TestError("e"))])
        #expect(events(.of(1, 2)) == [.next(1), .next(2), .completed])
        #expect(events(.from([Int]())) == [.completed])
        #expect(events(.from(1...3)) == [.next(1), .next(2), .next(3), .completed])
    }

    @Test func scheduledSourcesEmitOneElementPerAction() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start { .from([1, 2], scheduler: scheduler) }
        #expect(observer.events == [.next(201, 1), .next(202, 2), .completed(203)])
        let just = TestScheduler(initialClock: 0)
        #expect(just.start { .just(1, scheduler: just) }.events == [.next(201, 1), .completed(202)])
    }

    @Test func disposeStopsScheduledSource() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start(disposed: 204) { .from(0..., scheduler: scheduler) }
        #expect(observer.events == [.next(201, 0), .next(202, 1), .next(203, 2)])
    }

    @Test func sourcesOfOneTrampolineInterleave() {
        let log = Cell<[Int]>([])
        _ = CurrentThreadScheduler.instance.schedule(()) {
            _ = Observable.of(1, 2, 3).subscribe(onNext: { log.append($0) })
            _ = Observable.of(10, 20, 30).subscribe(onNext: { log.append($0) })
            return Disposables.create()
        }
        #expect(log.value == [1, 10, 2, 20, 3, 30])
    }

    @Test func eachSubscriptionStartsNewRun() {
        let runs = Cell(0)
        let source = Observable<Int>.create { observer in
            runs.update { $0 += 1 }
            observer.onNext(runs.value)
            observer.onCompleted()
            return Disposables.create()
        }
        #expect(runs.value == 0)
        #expect(events(source) == [.next(1), .completed])
        #expect(events(source) == [.next(2), .completed])
    }

    static let afterTheEnd: [([Event<Int>], [Event<Int>])] = [
        ([.next(1), .completed, .next(2)], [.next(1), .completed]),
        ([.error(TestError("e")), .next(2)], [.error(TestError("e"))]),
        ([.completed, .completed], [.completed]),
        ([.completed, .error(TestError("e"))], [.completed]),
        ([.error(TestError("e")), .error(TestError("f"))], [.error(TestError("e"))]),
    ]

    @Test(arguments: afterTheEnd) func createKeepsGrammar(sent: [Event<Int>], seen: [Event<Int>]) {
        let source = Observable<Int>.create { observer in
            for event in sent { observer.on(event) }
            return Disposables.create()
        }
        #expect(events(source) == seen)
    }

    @Test func createDisposesReturnedDisposable() {
        let freed = Cell(0)
        let observers = Cell<[AnyObserver<Int>]>([])
        let source = Observable<Int>.create { observer in
            observers.append(observer)
            return Disposables.create { freed.update { $0 += 1 } }
        }
        let first = source.subscribe(onNext: { _ in })
        first.dispose()
        #expect(freed.value == 1)
        let second = source.subscribe(onNext: { _ in })
        observers.value[1].onCompleted()
        #expect(freed.value == 2)
        second.dispose()
        #expect(freed.value == 2)
        observers.update { $0 = [] }
    }

    @Test func createMayBeSubscribedToReentrantly() {
        let log = Cell<[Int]>([])
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.onCompleted()
            return Disposables.create()
        }
        _ = source.subscribe(onNext: { first in
            _ = source.subscribe(onNext: { log.append(first + $0) })
        })
        #expect(log.value == [2])
    }
}
