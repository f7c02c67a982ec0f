import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of `deferred` and `using`, which make something for each subscription.
@Suite(.balanced) struct DeferringTests {
    @Test func factoryRunsForEachSubscription() {
        let scheduler = TestScheduler(initialClock: 0)
        let made = Cell(0)
        let cold = scheduler.createColdObservable([.next(10, 1), .completed(20)])
        let observer = scheduler.start {
            .deferred {
                made.update { $0 += 1 }
                return cold.asObservable()
            }
        }
        #expect(observer.events == [.next(210, 1), .completed(220)])
        #expect(cold.subscriptions == [Subscription(200, 220)])
        #expect(made.value == 1)
    }

    @Test func throwingFactoryFailsSequence() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start { Observable<Int>.deferred { throw TestError() } }
        #expect(observer.events == [.error(200, TestError())])
    }

    /// A resource that records its disposal.
    private struct Resource: Disposable {
        let log: Cell<[String]>

        func dispose() {
            log.append("resource")
        }
    }

    static let ends: [(source: @Sendable () throws -> Observable<Int>, log: [String])] = [
        ({ .just(1) }, ["next(1)", "completed", "resource"]),
        ({ .error(TestError("e")) }, ["error(e)", "resource"]),
        ({ throw TestError("thrown") }, ["error(thrown)", "resource"]),
        (
            {
                .create { observer in
                    observer.onNext(1)
                    return Disposables.create()
                }
            }, ["next(1)", "resource"]
        ),
    ]

    @Test(arguments: ends.indices) func resourceIsReleasedWithSubscription(_ index: Int) {
        let log = Cell<[String]>([])
        let source = Observable<Int>.using(
            { Resource(log: log) }, observableFactory: { _ in try Self.ends[index].source() })
        source.subscribe { log.append("\($0)") }.dispose()
        #expect(log.value == Self.ends[index].log)
    }

    @Test func resourceIsReleasedAfterSource() {
        let log = Cell<[String]>([])
        let source = Observable<Int>.using(
            { Resource(log: log) },
            observableFactory: { _ in .create { _ in Disposables.create { log.append("source") } } })
        source.subscribe().dispose()
        #expect(log.value == ["source", "resource"])
    }

    @Test func throwingResourceFactoryMakesNoSource() {
        let source = Observable<Int>.using(
            { throw TestError("none") }, observableFactory: { (_: Resource) in .just(1) })
        #expect(emitted(by: source) == [.error(TestError("none"))])
    }
}
