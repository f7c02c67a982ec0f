import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of how a maybe is made and what its observers receive.
@Suite(.balanced) struct MaybeTests {
    private func outcomes(_ source: Maybe<Int>) -> [String] {
        let log = Cell<[String]>([])
        _ = source.subscribe { log.append("\($0)") }
        return log.value
    }

    static let given: [([MaybeEvent<Int>], [Event<Int>])] = [
        ([.success(1)], [.next(1), .completed]),
        ([.completed], [.completed]),
        ([.error(TestError("e"))], [.error(TestError("e"))]),
        ([.success(1), .success(2)], [.next(1), .completed]),
        ([.success(1), .error(TestError("e"))], [.next(1), .completed]),
        ([.completed, .success(1)], [.completed]),
        ([.error(TestError("e")), .completed], [.error(TestError("e"))]),
        ([], []),
    ]

    @Test(arguments: given) func onlyFirstEventCounts(given: [MaybeEvent<Int>], expected: [Event<Int>]) {
        let maybe = Maybe<Int>.create { observer in
            for event in given { observer(event) }
            return Disposables.create()
        }
        let log = Cell<[Event<Int>]>([])
        let subscription = maybe.asObservable().subscribe { log.append($0) }
        #expect(log.value == expected)
        subscription.dispose()
    }

    @Test func exactlyOneClosureRuns() {
        let log = Cell<[String]>([])
        for maybe in [.just(1), .empty(), .error(TestError("e")), .never()] as [Maybe<Int>] {
            let subscription = maybe.subscribe(
                onSuccess: { log.append("success \($0)") }, onError: { log.append("error \($0)") },
                onCompleted: { log.append("completed") }, onDisposed: { log.append("disposed") })
            subscription.dispose()
        }
        #expect(log.value == ["success 1", "disposed", "completed", "disposed", "error e", "disposed", "disposed"])
    }

    @Test func closuresWithObjectRunWhileItLives() {
        final class Target: Sendable {}
        let log = Cell<[String]>([])
        let first = PublishSubject<Int>()
        let second = PublishSubject<Int>()
        var target: Target? = Target()
        for subject in [first, second] {
            guard let target else { continue }
            _ = subject.asMaybe().subscribe(
                with: target, onSuccess: { _, value in log.append("success \(value)") },
                onError: { _, error in log.append("error \(error)") },
                onCompleted: { _ in log.append("completed") }, onDisposed: { _ in log.append("disposed") })
        }
        first.onCompleted()
        target = nil
        second.onNext(1)
        second.onCompleted()
        #expect(log.value == ["completed", "disposed"])
    }

    @Test func factories() {
        #expect(outcomes(.just(1)) == ["success(1)"])
        #expect(outcomes(.empty()) == ["completed"])
        #expect(outcomes(.error(TestError("e"))) == ["error(e)"])
        #expect(outcomes(.never()) == [])
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start { Maybe.just(1, scheduler: scheduler).asObservable() }
        #expect(observer.events == [.next(201, 1), .completed(202)])
    }

    static let effects: [(@Sendable () -> Maybe<Int>, [String])] = [
        (
            { .just(1) },
            [
                "subscribe", "on 1", "received success(1)", "after 1", "completed", "after completed", "subscribed",
                "dispose",
            ]
        ),
        ({ .empty() }, ["subscribe", "completed", "received completed", "after completed", "subscribed", "dispose"]),
        ({ .error(TestError("e")) }, ["subscribe", "on e", "received error(e)", "after e", "subscribed", "dispose"]),
    ]

    @Test func sideEffects() {
        for (source, expected) in Self.effects {
            let log = Cell<[String]>([])
            _ = source().do(
                onNext: { log.append("on \($0)") }, afterNext: { log.append("after \($0)") },
                onError: { log.append("on \($0)") }, afterError: { log.append("after \($0)") },
                onCompleted: { log.append("completed") }, afterCompleted: { log.append("after completed") },
                onSubscribe: { log.append("subscribe") }, onSubscribed: { log.append("subscribed") },
                onDispose: { log.append("dispose") }
            ).subscribe { log.append("received \($0)") }
            #expect(log.value == expected)
        }
    }
}
