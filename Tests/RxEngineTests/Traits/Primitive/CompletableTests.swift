import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of how a completable is made, what its observers receive, and how completables are combined.
@Suite(.balanced) struct CompletableTests {
    static let given: [([CompletableEvent], [String])] = [
        ([.completed], ["completed"]),
        ([.error(TestError("e"))], ["error(e)"]),
        ([.completed, .error(TestError("e"))], ["completed"]),
        ([.error(TestError("e")), .completed], ["error(e)"]),
        ([], []),
    ]

    @Test(arguments: given) func onlyFirstEventCounts(given: [CompletableEvent], expected: [String]) {
        let completable = Completable.create { observer in
            for event in given { observer(event) }
            return Disposables.create()
        }
        let log = Cell<[String]>([])
        let subscription = completable.subscribe { log.append("\($0)") }
        #expect(log.value == expected)
        subscription.dispose()
    }

    @Test func exactlyOneClosureRuns() {
        let log = Cell<[String]>([])
        for completable in [.empty(), .error(TestError("e")), .never()] as [Completable] {
            let subscription = completable.subscribe(
                onCompleted: { log.append("completed") }, onError: { log.append("error \($0)") },
                onDisposed: { log.append("disposed") })
            subscription.dispose()
        }
        #expect(log.value == ["completed", "disposed", "error e", "disposed", "disposed"])
    }

    @Test func closuresWithObjectRunWhileItLives() {
        final class Target: Sendable {}
        let log = Cell<[String]>([])
        let first = PublishSubject<Never>()
        let second = PublishSubject<Never>()
        var target: Target? = Target()
        for subject in [first, second] {
            guard let target else { continue }
            _ = subject.asCompletable().subscribe(
                with: target, onCompleted: { _ in log.append("completed") },
                onError: { _, error in log.append("error \(error)") }, onDisposed: { _ in log.append("disposed") })
        }
        first.onError(TestError("e"))
        target = nil
        second.onCompleted()
        #expect(log.value == ["error e", "disposed"])
    }

    static let effects: [(@Sendable () -> Completable, [String])] = [
        ({ .empty() }, ["subscribe", "completed", "received completed", "after completed", "subscribed", "dispose"]),
        ({ .error(TestError("e")) }, ["subscribe", "on e", "received error(e)", "after e", "subscribed", "dispose"]),
    ]

    @Test func sideEffects() {
        for (source, expected) in Self.effects {
            let log = Cell<[String]>([])
            _ = source().do(
                onError: { log.append("on \($0)") }, afterError: { log.append("after \($0)") },
                onCompleted: { log.append("completed") }, afterCompleted: { log.append("after completed") },
                onSubscribe: { log.append("subscribe") }, onSubscribed: { log.append("subscribed") },
                onDispose: { log.append("dispose") }
            ).subscribe { log.append("received \($0)") }
            #expect(log.value == expected)
        }
    }

    typealias Ends = [Recorded<Event<Int>>]

    /// When the two sources end, how the result ends, and when the sources are subscribed to.
    struct CombinationCase: Sendable {
        var first: Ends
        var second: Ends
        var result: Ends
        var firstRuns: [Subscription]
        var secondRuns: [Subscription]
    }

    private func check(
        _ cases: [CombinationCase], _ combine: @escaping @Sendable (Completable, Completable) -> Completable,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (number, rule) in cases.enumerated() {
            let scheduler = TestScheduler(initialClock: 0)
            let first = scheduler.createColdObservable(rule.first)
            let second = scheduler.createColdObservable(rule.second)
            let observer = scheduler.start {
                combine(first.asSingleCompletable, second.asSingleCompletable).asObservable()
            }
            #expect(
                observer.events.map(\.debugDescription) == rule.result.map(\.debugDescription), "case \(number)",
                sourceLocation: sourceLocation)
            #expect(first.subscriptions == rule.firstRuns, "case \(number)", sourceLocation: sourceLocation)
            #expect(second.subscriptions == rule.secondRuns, "case \(number)", sourceLocation: sourceLocation)
        }
    }

    static let sequential: [CombinationCase] = [
        CombinationCase(
            first: [.completed(10)], second: [.completed(20)], result: [.completed(230)],
            firstRuns: [Subscription(200, 210)], secondRuns: [Subscription(210, 230)]),
        CombinationCase(
            first: [.error(10, TestError("e"))], second: [.completed(20)], result: [.error(210, TestError("e"))],
            firstRuns: [Subscription(200, 210)], secondRuns: []),
        CombinationCase(
            first: [.completed(10)], second: [.error(20, TestError("e"))], result: [.error(230, TestError("e"))],
            firstRuns: [Subscription(200, 210)], secondRuns: [Subscription(210, 230)]),
        CombinationCase(
            first: [], second: [.completed(20)], result: [], firstRuns: [Subscription(200, 1000)], secondRuns: []),
        CombinationCase(
            first: [.completed(10)], second: [], result: [], firstRuns: [Subscription(200, 210)],
            secondRuns: [Subscription(210, 1000)]),
    ]

    @Test func concatRunsSequentially() {
        check(Self.sequential) { $0.concat($1) }
        check(Self.sequential) { $0.andThen($1) }
        check(Self.sequential) { Completable.concat($0, $1) }
        check(Self.sequential) { Completable.concat([$0, $1]) }
        check(Self.sequential) { Completable.concat(AnySequence([$0, $1])) }
    }

    static let atOnce: [CombinationCase] = [
        CombinationCase(
            first: [.completed(10)], second: [.completed(20)], result: [.completed(220)],
            firstRuns: [Subscription(200, 210)], secondRuns: [Subscription(200, 220)]),
        CombinationCase(
            first: [.error(10, TestError("e"))], second: [.completed(20)], result: [.error(210, TestError("e"))],
            firstRuns: [Subscription(200, 210)], secondRuns: [Subscription(200, 210)]),
        CombinationCase(
            first: [.completed(10)], second: [.error(20, TestError("e"))], result: [.error(220, TestError("e"))],
            firstRuns: [Subscription(200, 210)], secondRuns: [Subscription(200, 220)]),
        CombinationCase(
            first: [], second: [.completed(20)], result: [], firstRuns: [Subscription(200, 1000)],
            secondRuns: [Subscription(200, 220)]),
    ]

    @Test func zipRunsAllAtOnce() {
        check(Self.atOnce) { Completable.zip($0, $1) }
        check(Self.atOnce) { Completable.zip([$0, $1]) }
        check(Self.atOnce) { Completable.zip(CollectionOfOne($0).map(\.self) + [$1]) }
        check(Self.atOnce) { Completable.zip(["b": $1, "a": $0].values) }
    }

    @Test func zipOfNoneCompletes() {
        let log = Cell<[String]>([])
        _ = Completable.zip([]).subscribe { log.append("\($0)") }
        _ = Completable.concat([]).subscribe { log.append("\($0)") }
        #expect(log.value == ["completed", "completed"])
    }

    static let followed: [(source: Ends, events: Ends, runs: [Subscription])] = [
        ([.completed(10)], [.next(230, 1), .completed(230)], [Subscription(210, 230)]),
        ([.error(10, TestError("e"))], [.error(210, TestError("e"))], []),
        ([], [], []),
    ]

    @Test(arguments: followed) func andThenSubscribesToNext(source: Ends, events: Ends, runs: [Subscription]) {
        let then: [@Sendable (Completable, TestableObservable<Int>) -> Observable<Int>] = [
            { $0.andThen($1.asSingle()).asObservable() },
            { $0.andThen($1.asMaybe()).asObservable() },
            { $0.andThen($1.asObservable()) },
        ]
        for combine in then {
            let scheduler = TestScheduler(initialClock: 0)
            let first = scheduler.createColdObservable(source)
            let second = scheduler.createColdObservable([.next(20, 1), .completed(20)] as Ends)
            let observer = scheduler.start { combine(first.asSingleCompletable, second) }
            #expect(observer.events == events)
            #expect(second.subscriptions == runs)
        }
    }

    @Test func longChainTakesLittleStack() {
        let log = Cell<[String]>([])
        @Sendable func countdown(_ number: Int) -> Completable {
            number == 0 ? .empty() : Completable.empty().andThen(.deferred { countdown(number - 1) })
        }
        _ = countdown(10_000).subscribe { log.append("\($0)") }
        #expect(log.value == ["completed"])
    }
}

extension TestableObservable {
    /// The end of the sequence without its elements.
    fileprivate var asSingleCompletable: Completable {
        compactMap { _ -> Never? in nil }.asCompletable()
    }
}
