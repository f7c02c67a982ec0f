import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// How an infallible is made, what its observers are told, and what becomes of errors that come near it.
@Suite(.balanced) struct InfallibleTests {
    private func events(_ source: Infallible<Int>) -> [Event<Int>] {
        let log = Box<[Event<Int>]>([])
        source.subscribe { log.append($0.event) }.dispose()
        return log.value
    }

    static let given: [([InfallibleEvent<Int>], [Event<Int>])] = [
        ([.next(1), .next(2), .completed], [.next(1), .next(2), .completed]),
        ([.completed, .next(1)], [.completed]),
        ([.next(1), .completed, .completed], [.next(1), .completed]),
        ([], []),
    ]

    @Test(arguments: given) func createKeepsTheGrammar(given: [InfallibleEvent<Int>], told: [Event<Int>]) {
        let freed = Box(0)
        let source = Infallible<Int>.create { observer in
            for event in given { observer(event) }
            return Disposables.create { freed.update { $0 += 1 } }
        }
        #expect(events(source) == told)
        #expect(freed.value == 1)
    }

    @Test func factories() {
        #expect(events(.just(1)) == [.next(1), .completed])
        #expect(events(.never()) == [])
        #expect(events(.empty()) == [.completed])
        #expect(events(.of(1, 2)) == [.next(1), .next(2), .completed])
        #expect(events(.from([1, 2])) == [.next(1), .next(2), .completed])
        #expect(events(.from(1...2)) == [.next(1), .next(2), .completed])
        let made = Box(0)
        let deferred = Infallible<Int>.deferred {
            made.update { $0 += 1 }
            return .just(made.value)
        }
        #expect(made.value == 0)
        #expect(events(deferred) == [.next(1), .completed])
        #expect(events(deferred) == [.next(2), .completed])
    }

    @Test func factoriesOnAScheduler() {
        let sources: [(@Sendable (TestScheduler) -> Infallible<Int>, [Recorded<Event<Int>>])] = [
            ({ .just(1, scheduler: $0) }, [.next(201, 1), .completed(202)]),
            ({ .of(1, 2, scheduler: $0) }, [.next(201, 1), .next(202, 2), .completed(203)]),
            ({ .from([1, 2], scheduler: $0) }, [.next(201, 1), .next(202, 2), .completed(203)]),
            ({ .from(1...2, scheduler: $0) }, [.next(201, 1), .next(202, 2), .completed(203)]),
        ]
        for (make, told) in sources {
            let scheduler = TestScheduler(initialClock: 0)
            #expect(scheduler.start { make(scheduler).asObservable() }.events == told)
        }
    }

    @Test func closuresRunInOrder() {
        let log = Box<[String]>([])
        let source = Infallible<Int>.create { observer in
            observer(.next(1))
            observer(.completed)
            return Disposables.create { log.append("freed") }
        }
        _ = source.subscribe(
            onNext: { log.append("next \($0)") }, onCompleted: { log.append("completed") },
            onDisposed: { log.append("disposed") })
        #expect(log.value == ["next 1", "completed", "freed", "disposed"])
    }

    @Test func closuresWithAnObjectRunWhileItLives() {
        final class Target: Sendable {}
        let log = Box<[String]>([])
        let subject = PublishSubject<Int>()
        var target: Target? = Target()
        if let target {
            _ = subject.asInfallible(onErrorJustReturn: 0).subscribe(
                with: target, onNext: { _, value in log.append("next \(value)") },
                onCompleted: { _ in log.append("completed") }, onDisposed: { _ in log.append("disposed") })
        }
        subject.onNext(1)
        target = nil
        subject.onNext(2)
        subject.onCompleted()
        #expect(log.value == ["next 1"])
    }

    @Test func readFromAnObservable() {
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.onError(TestError("e"))
            return Disposables.create()
        }
        #expect(events(source.asInfallible(onErrorJustReturn: 7)) == [.next(1), .next(7), .completed])
        #expect(
            events(source.asInfallible(onErrorFallbackTo: .of(7, 8))) == [.next(1), .next(7), .next(8), .completed])
        #expect(
            events(source.asInfallible(onErrorRecover: { "\($0)" == "e" ? .just(7) : .empty() }))
                == [.next(1), .next(7), .completed])
        #expect(events(Single<Int>.error(TestError("e")).asInfallible(onErrorJustReturn: 7)) == [.next(7), .completed])
    }

    /// An operator that an error could come through, what is told instead, and whether the source is read on.
    struct Hole: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var told: [Event<Int>]
        var operation: @Sendable (Infallible<Int>) -> Infallible<Int>

        init(
            _ name: String, _ told: [Event<Int>], _ operation: @escaping @Sendable (Infallible<Int>) -> Infallible<Int>
        ) {
            testDescription = name
            self.told = told
            self.operation = operation
        }
    }

    static let error = TestError("e")

    @Sendable private static func inner(_ number: Int) -> Observable<Int> {
        number == 2 ? .error(error) : .just(number)
    }

    @Sendable private static func throwing(_ number: Int) throws -> Int {
        if number == 2 { throw error }
        return number
    }

    /// Of the source 1, 2, 3.
    static let holes: [Hole] = [
        Hole("flatMap", [.next(1), .next(3), .completed]) { $0.flatMap(inner) },
        Hole("flatMapLatest", [.next(1), .next(3), .completed]) { $0.flatMapLatest(inner) },
        Hole("an observable's flatMapLatest", [.next(1), .completed]) {
            $0.asObservable().flatMapLatest { Infallible.just(try throwing($0)) }
        },
        Hole("an observable that fails", [.next(1), .completed]) {
            $0.asObservable().map { try throwing($0) }.flatMapLatest { Infallible.just($0) }
        },
        Hole("flatMapFirst", [.next(1), .next(3), .completed]) { $0.flatMapFirst(inner) },
        Hole("concatMap", [.next(1), .next(3), .completed]) { $0.concatMap(inner) },
        Hole("concat", [.next(1), .next(2), .next(3), .completed]) { $0.concat(Observable<Int>.error(error)) },
        Hole("take(until:)", [.next(1), .next(2), .next(3), .completed]) {
            $0.take(until: Observable<Int>.error(error))
        },
        Hole("skip(until:)", []) { _ in .never().skip(until: Observable<Int>.error(error)) },
        Hole("deferred", [.completed]) { _ in .deferred { throw error } },
        Hole("distinctUntilChanged(key)", [.next(1), .completed]) { $0.distinctUntilChanged { try throwing($0) } },
        Hole("distinctUntilChanged(comparer)", [.next(1), .completed]) {
            $0.distinctUntilChanged { try throwing($1) == $0 }
        },
        Hole("distinctUntilChanged(key, comparer)", [.next(1), .completed]) {
            $0.distinctUntilChanged({ try throwing($0) }, comparer: { $0 == $1 })
        },
        Hole("take(until: predicate)", [.next(1), .completed]) { $0.take(until: { try throwing($0) == 9 }) },
        Hole("take(while:)", [.next(1), .completed]) { $0.take(while: { try throwing($0) < 9 }) },
        Hole("skip(while:)", [.completed]) { $0.skip(while: { try throwing($0) < 9 }) },
        Hole("do", [.next(1), .completed]) { $0.do(onNext: { _ = try throwing($0) }) },
        Hole("withLatestFrom", [.next(1), .completed]) {
            $0.withLatestFrom(Infallible.just(0)) { number, _ in try throwing(number) }
        },
        Hole("zip", [.next(1), .completed]) { .zip($0, Infallible.of(1, 2, 3)) { try throwing(min($0, $1)) } },
        Hole("zip of a collection", [.next(1), .completed]) { .zip([$0]) { try throwing($0[0]) } },
        Hole("combineLatest", [.next(1), .completed]) {
            .combineLatest(Infallible.just(9), $0) { try throwing(min($0, $1)) }
        },
        Hole("combineLatest of a collection", [.next(1), .completed]) { .combineLatest([$0]) { try throwing($0[0]) } },
    ]

    @Test(arguments: holes) func anErrorGoesToTheHookAndBecomesAnEnd(hole: Hole) {
        let log = Box<[String]>([])
        let handler = Hooks.defaultErrorHandler
        Hooks.defaultErrorHandler = { _, error in log.append("\(error)") }
        let told = events(
            hole.operation(
                .create { observer in
                    for number in 1...3 { observer(.next(number)) }
                    observer(.completed)
                    return Disposables.create()
                }))
        Hooks.defaultErrorHandler = handler
        #expect(told == hole.told)
        #expect(log.value == ["e"])
    }
}
