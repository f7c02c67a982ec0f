import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of how an infallible is made, what its observers receive, and how it handles errors.
@Suite(.balanced) struct InfallibleTests {
    private func events(_ source: Infallible<Int>) -> [Event<Int>] {
        let log = Cell<[Event<Int>]>([])
        source.subscribe { log.append($0.event) }.dispose()
        return log.value
    }

    static let given: [([InfallibleEvent<Int>], [Event<Int>])] = [
        ([.next(1), .next(2), .completed], [.next(1), .next(2), .completed]),
        ([.completed, .next(1)], [.completed]),
        ([.next(1), .completed, .completed], [.next(1), .completed]),
        ([], []),
    ]

    @Test(arguments: given) func createKeepsGrammar(given: [InfallibleEvent<Int>], expected: [Event<Int>]) {
        let freed = Cell(0)
        let source = Infallible<Int>.create { observer in
            for event in given { observer(event) }
            return Disposables.create { freed.update { $0 += 1 } }
        }
        #expect(events(source) == expected)
        #expect(freed.value == 1)
    }

    @Test func factories() {
        #expect(events(.just(1)) == [.next(1), .completed])
        #expect(events(.never()) == [])
        #expect(events(.empty()) == [.completed])
        #expect(events(.of(1, 2)) == [.next(1), .next(2), .completed])
        #expect(events(.from([1, 2])) == [.next(1), .next(2), .completed])
        #expect(events(.from(1...2)) == [.next(1), .next(2), .completed])
        let made = Cell(0)
        let deferred = Infallible<Int>.deferred {
            made.update { $0 += 1 }
            return .just(made.value)
        }
        #expect(made.value == 0)
        #expect(events(deferred) == [.next(1), .completed])
        #expect(events(deferred) == [.next(2), .completed])
    }

    @Test func factoriesEmitOnGivenScheduler() {
        let sources: [(@Sendable (TestScheduler) -> Infallible<Int>, [Recorded<Event<Int>>])] = [
            ({ .just(1, scheduler: $0) }, [.next(201, 1), .completed(202)]),
            ({ .of(1, 2, scheduler: $0) }, [.next(201, 1), .next(202, 2), .completed(203)]),
            ({ .from([1, 2], scheduler: $0) }, [.next(201, 1), .next(202, 2), .completed(203)]),
            ({ .from(1...2, scheduler: $0) }, [.next(201, 1), .next(202, 2), .completed(203)]),
        ]
        for (make, expected) in sources {
            let scheduler = TestScheduler(initialClock: 0)
            #expect(scheduler.start { make(scheduler).asObservable() }.events == expected)
        }
    }

    @Test func closuresRunInOrder() {
        let log = Cell<[String]>([])
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

    @Test func closuresWithObjectRunWhileItLives() {
        final class Target: Sendable {}
        let log = Cell<[String]>([])
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

    @Test func observableConvertsToInfallible() {
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

    /// An operator through which an error could pass, what it emits instead, and whether it continues with the source.
    struct ErrorCase: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var expected: [Event<Int>]
        var operation: @Sendable (Infallible<Int>) -> Infallible<Int>

        init(
            _ name: String, _ expected: [Event<Int>],
            _ operation: @escaping @Sendable (Infallible<Int>) -> Infallible<Int>
        ) {
            testDescription = name
            self.expected = expected
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

    /// Applied to the source 1, 2, 3.
    static let errorCases: [ErrorCase] = [
        ErrorCase("flatMap", [.next(1), .next(3), .completed]) { $0.flatMap(inner) },
        ErrorCase("flatMapLatest", [.next(1), .next(3), .completed]) { $0.flatMapLatest(inner) },
        ErrorCase("an observable's flatMapLatest", [.next(1), .completed]) {
            $0.asObservable().flatMapLatest { Infallible.just(try throwing($0)) }
        },
        ErrorCase("an observable that fails", [.next(1), .completed]) {
            $0.asObservable().map { try throwing($0) }.flatMapLatest { Infallible.just($0) }
        },
        ErrorCase("flatMapFirst", [.next(1), .next(3), .completed]) { $0.flatMapFirst(inner) },
        ErrorCase("concatMap", [.next(1), .next(3), .completed]) { $0.concatMap(inner) },
        ErrorCase("concat", [.next(1), .next(2), .next(3), .completed]) { $0.concat(Observable<Int>.error(error)) },
        ErrorCase("take(until:)", [.next(1), .next(2), .next(3), .completed]) {
            $0.take(until: Observable<Int>.error(error))
        },
        ErrorCase("skip(until:)", []) { _ in .never().skip(until: Observable<Int>.error(error)) },
        ErrorCase("deferred", [.completed]) { _ in .deferred { throw error } },
        ErrorCase("distinctUntilChanged(key)", [.next(1), .completed]) { $0.distinctUntilChanged { try throwing($0) } },
        ErrorCase("distinctUntilChanged(comparer)", [.next(1), .completed]) {
            $0.distinctUntilChanged { try throwing($1) == $0 }
        },
        ErrorCase("distinctUntilChanged(key, comparer)", [.next(1), .completed]) {
            $0.distinctUntilChanged({ try throwing($0) }, comparer: { $0 == $1 })
        },
        ErrorCase("take(until: predicate)", [.next(1), .completed]) { $0.take(until: { try throwing($0) == 9 }) },
        ErrorCase("take(while:)", [.next(1), .completed]) { $0.take(while: { try throwing($0) < 9 }) },
        ErrorCase("skip(while:)", [.completed]) { $0.skip(while: { try throwing($0) < 9 }) },
        ErrorCase("do", [.next(1), .completed]) { $0.do(onNext: { _ = try throwing($0) }) },
        ErrorCase("withLatestFrom", [.next(1), .completed]) {
            $0.withLatestFrom(Infallible.just(0)) { number, _ in try throwing(number) }
        },
        ErrorCase("zip", [.next(1), .completed]) { .zip($0, Infallible.of(1, 2, 3)) { try throwing(min($0, $1)) } },
        ErrorCase("zip of a collection", [.next(1), .completed]) { .zip([$0]) { try throwing($0[0]) } },
        ErrorCase("combineLatest", [.next(1), .completed]) {
            .combineLatest(Infallible.just(9), $0) { try throwing(min($0, $1)) }
        },
        ErrorCase("combineLatest of a collection", [.next(1), .completed]) {
            .combineLatest([$0]) { try throwing($0[0]) }
        },
    ]

    @Test(arguments: errorCases) func errorReachesHookAndBecomesCompletion(rule: ErrorCase) {
        let log = Cell<[String]>([])
        let handler = Hooks.defaultErrorHandler
        Hooks.defaultErrorHandler = { _, error in log.append("\(error)") }
        let received = events(
            rule.operation(
                .create { observer in
                    for number in 1...3 { observer(.next(number)) }
                    observer(.completed)
                    return Disposables.create()
                }))
        Hooks.defaultErrorHandler = handler
        #expect(received == rule.expected)
        #expect(log.value == ["e"])
    }
}
