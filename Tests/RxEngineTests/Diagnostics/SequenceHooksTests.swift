import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct SequenceHooksTests {
    /// Runs `body` while every hook adds a line to the result.
    private func lines(_ body: () -> Void) -> [String] {
        let lines = Cell<[String]>([])
        Hooks.onNextDropped = { lines.append("next \($0)") }
        Hooks.onErrorDropped = { lines.append("error \($0)") }
        Hooks.onOperatorError = {
            lines.append("\($0) \($1)")
            return $1
        }
        body()
        Hooks.onNextDropped = nil
        Hooks.onErrorDropped = nil
        Hooks.onOperatorError = nil
        return lines.value
    }

    private func dropped(_ emit: @escaping @Sendable (AnyObserver<Int>) -> Void) -> [String] {
        lines {
            _ = Observable<Int>.create {
                emit($0)
                return Disposables.create()
            }.subscribe(onError: { _ in })
        }
    }

    @Test func eventsAfterTheEndAreDropped() {
        #expect(
            dropped {
                $0.onNext(1)
                $0.onCompleted()
                $0.onNext(2)
                $0.onError(TestError("late"))
                $0.onCompleted()
            } == ["next 2", "error late"])
        #expect(
            dropped {
                $0.onError(TestError("first"))
                $0.onError(TestError("second"))
            } == ["error second"])
        #expect(dropped { $0.onNext(1) } == [])
    }

    @Test func eventsAfterDisposalAreDropped() {
        let observer = Cell<[AnyObserver<Int>]>([])
        let source = Observable<Int>.create {
            observer.append($0)
            return Disposables.create()
        }
        let found = lines {
            let subscription = source.subscribe(onNext: { _ in })
            observer.value[0].onNext(1)
            subscription.dispose()
            observer.value[0].onNext(2)
            observer.value[0].onError(TestError("late"))
        }
        #expect(found == ["next 2", "error late"])
        observer.update { $0 = [] }
    }

    @Test(arguments: ["publish", "behavior", "replay"])
    func subjectDropsEventsAfterItsEnd(kind: String) {
        let found = lines {
            let observer: AnyObserver<Int> =
                switch kind {
                case "publish": PublishSubject<Int>().asObserver().asAnyObserver
                case "behavior": BehaviorSubject(value: 0).asObserver().asAnyObserver
                default: ReplaySubject<Int>.create(bufferSize: 1).asObserver().asAnyObserver
                }
            observer.onNext(1)
            observer.onCompleted()
            observer.onNext(2)
            observer.onError(TestError("late"))
        }
        #expect(found == ["next 2", "error late"])
    }

    @Test func errorOfOneSourceAfterAnotherOneFailedIsDropped() {
        let observers = Cell<[AnyObserver<Int>]>([])
        let source = Observable<Int>.create {
            observers.append($0)
            return Disposables.create()
        }
        let found = lines {
            _ = Observable.merge(source, source).subscribe(onError: { _ in })
            observers.value[0].onError(TestError("first"))
            observers.value[1].onError(TestError("second"))
        }
        #expect(found == ["error second"])
        observers.update { $0 = [] }
    }

    /// A source that goes on after its end breaks its contract, and the hook shows that, whatever is behind it.
    @Test(arguments: [
        "merge", "merge(maxConcurrent:)", "concat", "concatEager", "ifEmpty", "amb", "takeUntil", "until",
        "withLatestFrom",
        "latest", "materialize", "catch", "retry", "repeat", "zip", "window", "buffer", "pausableBuffered",
        "switchOnFirst",
        "onTerminateDetach", "auditTime", "switchOnFirst", "sample",
    ])
    func errorAfterCompletionIsDropped(name: String) {
        let first = FirstSink()
        let source = Observable<Int>.source(onTrampoline: false) { sink in
            if first.sink == nil { first.sink = sink }
            return Disposables.create()
        }
        let never = Observable<Int>.never()
        let sequence: Observable<Int> =
            switch name {
            case "merge": .merge(source, never)
            case "merge(maxConcurrent:)": .of(1, 2).flatMap(maxConcurrent: 1) { _ in source }
            case "concat": source.concat(never)
            case "concatEager": .concatEager(source, never)
            case "ifEmpty": source.ifEmpty(switchTo: never)
            case "amb": .amb([source, never])
            case "takeUntil": source.take(until: never)
            case "until": never.take(until: source)
            case "withLatestFrom": source.withLatestFrom(never)
            case "latest": never.withLatestFrom(source)
            case "materialize": source.materialize().compactMap(\.element)
            case "catch": source.catch { _ in never }
            case "retry": source.retry { (errors: Observable<any Error>) in errors }
            case "repeat": source.repeat { _ in never }
            case "zip": .zip(longest: source, never) { ($0 ?? 0) + ($1 ?? 0) }
            case "window": source.window(until: never).merge()
            case "buffer": source.buffer(until: never).map(\.count)
            case "pausableBuffered": source.pausableBuffered(Observable<Bool>.never(), limit: 1)
            case "switchOnFirst": source.switchOnFirst { _, all in all.concat(never) }
            case "onTerminateDetach": source.onTerminateDetach()
            case "auditTime": source.auditTime(.seconds(1), scheduler: TestScheduler(initialClock: 0))
            case "switchLatest": Observable.of(source).switchLatest()
            default: source.sample(never)
            }
        let found = lines {
            let subscription = sequence.subscribe(onError: { _ in })
            first.sink?.next(1)
            first.sink?.completed()
            first.sink?.error(TestError("late"))
            subscription.dispose()
        }
        #expect(found.filter { $0.hasPrefix("error") } == ["error late"])
        first.sink = nil
    }

    // Unchecked: one thread uses it.
    private final class FirstSink: @unchecked Sendable {
        var sink: Sink<Int>?
    }

    @Test func errorThatAnOperatorThrowsIsPassed() {
        let source = PublishSubject<Int>()
        let throwing: @Sendable (Int) throws -> Int = { _ in throw TestError("thrown") }
        let found = lines {
            for sequence: Observable<Int> in [
                source.map(throwing), source.filter { try throwing($0) > 0 }, source.scan(0) { try throwing($0 + $1) },
                source.compactMap { try throwing($0) }, source.do(onNext: { _ = try throwing($0) }),
                source.flatMap { Observable.just(try throwing($0)) }, Observable.just(1).map(throwing),
                Observable.combineLatest(source, source) { try throwing($0 + $1) },
                Observable.deferred { .just(try throwing(1)) },
                source.buffer(while: { try throwing($0) > 0 }).map(\.count),
                source.switchOnFirst { first, _ in .just(try throwing(first)) },
            ] {
                let subscription = sequence.subscribe(onError: { _ in })
                source.onNext(1)
                subscription.dispose()
            }
        }
        // Without the trait, an operator whose sink serves several is not known.
        #if TRACE_RESOURCES
        let (compactMap, flatMap, scalar, combine) = ("compactMap", "flatMap", "map", "combineLatest")
        #else
        let (compactMap, flatMap, scalar, combine) = ("custom", "custom", "custom", "custom")
        #endif
        #expect(
            found
                == [
                    "map", "filter", "scan", compactMap, "do", flatMap, scalar, combine, "deferred", "buffer",
                    "switchOnFirst",
                ]
                .map { "\($0) thrown" })
    }

    /// Operators that are composed of others name themselves.
    @Test func errorOfComposedOperatorNamesIt() async throws {
        let lines = Cell<[String]>([])
        Hooks.onOperatorError = {
            lines.append("\($0) \($1)")
            return $1
        }
        let source = Observable.of(1, 2)
        _ = source.expand { _ in throw TestError("a") }.subscribe(onError: { _ in })
        _ = source.flatMap(maxConcurrent: 1) { _ -> Observable<Int> in throw TestError("b") }
            .subscribe(onError: { _ in })
        _ = source.sequenceEqual(Observable<Int>.error(TestError("none"))).subscribe(onFailure: { _ in })
        let ended = Cell(0)
        for sequence in [
            source.mapAsync { _ -> Int in throw TestError("c") },
            source.flatMapAsync(maxConcurrent: 2) { _ -> Int in throw TestError("c") },
        ] {
            let before = ended.value
            let subscription = sequence.subscribe(onError: { _ in ended.update { $0 += 1 } })
            try await eventually("it has failed") { ended.value > before }
            subscription.dispose()
        }
        Hooks.onOperatorError = nil
        #if TRACE_RESOURCES
        let names = ["expand", "flatMap"]
        #else
        let names = ["custom", "custom"]
        #endif
        // The second task of `flatMapAsync` may fail before it is cancelled.
        #expect(lines.value.prefix(2) == ["\(names[0]) a", "\(names[1]) b"])
        let async = lines.value.dropFirst(2)
        #expect((2...3).contains(async.count) && async.allSatisfy { $0 == "mapAsync c" }, "\(lines.value)")
    }

    @Test func errorOfConditionNamesRepeat() {
        let found = lines {
            _ = Observable.just(1).repeat(while: { throw TestError("broken") }).subscribe(onError: { _ in })
        }
        #expect(found == ["repeat broken"])
    }

    @Test func errorThatTheHookReturnsIsEmitted() {
        Hooks.onOperatorError = { operation, error in TestError("\(error) in \(operation)") }
        let errors = Cell<[String]>([])
        _ = Observable.just(1).asObservable().do(onNext: { _ in throw TestError("broken") })
            .subscribe(onError: { errors.append("\($0)") })
        Hooks.onOperatorError = nil
        #expect(errors.value == ["broken in do"])
    }

    /// A hook may use the engine, also so that it would call itself.
    @Test func hookThatUsesTheEngineDoesNotRecurse() {
        let count = Cell(0)
        Hooks.onNextDropped = { _ in
            count.update { $0 += 1 }
            let subject = PublishSubject<Int>()
            subject.onCompleted()
            subject.onNext(1)
        }
        Hooks.onOperatorError = { _, error in
            count.update { $0 += 1 }
            _ = Observable.just(1).do(onNext: { _ in throw TestError("inner") }).subscribe(onError: { _ in })
            return error
        }
        let subject = PublishSubject<Int>()
        subject.onCompleted()
        subject.onNext(1)
        subject.onNext(2)
        _ = Observable.just(1).do(onNext: { _ in throw TestError("outer") }).subscribe(onError: { _ in })
        Hooks.onNextDropped = nil
        Hooks.onOperatorError = nil
        #expect(count.value == 3)
    }

    /// The engine holds no lock while it calls a hook: the hook may use the object that has called it.
    @Test func hookMayUseTheSubjectThatDropped() {
        let subject = BehaviorSubject(value: 0)
        let found = Cell<[Bool]>([])
        Hooks.onNextDropped = { _ in found.append(subject.hasObservers) }
        subject.onCompleted()
        subject.onNext(1)
        Hooks.onNextDropped = nil
        #expect(found.value == [false])
    }

    @Test func hooksAreSetFromSeveralThreads() {
        let subject = PublishSubject<Int>()
        subject.onCompleted()
        inParallel(4) { thread in
            for _ in 0..<500 {
                switch thread {
                case 0: Hooks.onNextDropped = { _ in }
                case 1: Hooks.onNextDropped = nil
                default: subject.onNext(thread)
                }
            }
        }
        Hooks.onNextDropped = nil
        #expect(Hooks.onNextDropped == nil)
    }

    #if TRACE_RESOURCES
    @Test func assemblyAndSubscriptionsAreReported() {
        let lines = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        Hooks.onAssembly = {
            lines.append("assembled \($0)")
            // Calls no hook.
            _ = Observable.just(1).map { $0 }.subscribe()
        }
        Hooks.onSubscribe = { lines.append("subscribed \($0)") }
        let inner = subject.filter { $0 > 0 }
        let sequence = subject.map { $0 }.flatMap { _ in inner }
        let subscription = sequence.subscribe()
        subject.onNext(1)
        Hooks.onAssembly = nil
        Hooks.onSubscribe = nil
        _ = subject.map { $0 }.subscribe()
        #expect(
            lines.value == [
                "assembled filter", "assembled map", "assembled flatMap", "subscribed flatMap", "subscribed filter",
            ])
        subscription.dispose()
        subject.onCompleted()
    }
    #endif
}

extension ObserverType {
    fileprivate var asAnyObserver: AnyObserver<Element> { AnyObserver { on($0) } }
}
