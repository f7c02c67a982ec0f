import FoundationEssentials
import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Rules of every operator with one source, whatever it does with the elements.
@Suite(.balanced) struct OneSourceTests {
    /// An operator; its elements are compared as text.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let apply: @Sendable (Observable<Int>) -> Observable<String>

        init<Output: Sendable>(_ name: String, _ apply: @escaping @Sendable (Observable<Int>) -> Observable<Output>) {
            testDescription = name
            self.apply = { source in apply(source).map { "\($0)" } }
        }
    }

    static let operators = [
        Case("compactMap") { $0.compactMap { $0 } },
        Case("debug") { $0.debug("test", trimOutput: true) },
        Case("decode") { $0.map { Data("[\($0)]".utf8) }.decode(type: [Int].self, decoder: JSONDecoder()) },
        Case("distinctUntilChanged") { $0.distinctUntilChanged() },
        Case("distinctUntilChanged, by a key") { $0.distinctUntilChanged { $0 % 2 } },
        Case("do") { $0.do(onNext: { _ in }) },
        Case("do, around the subscription") { $0.do(onDispose: {}) },
        Case("element(at:)") { $0.element(at: 10) },
        Case("enumerated") { $0.enumerated() },
        Case("filter") { $0.filter { $0 > 0 } },
        Case("first") { $0.filter { _ in false }.first().asObservable() },
        Case("ifEmpty(default:)") { $0.ifEmpty(default: 0) },
        Case("ifEmpty(switchTo:)") { $0.ifEmpty(switchTo: .just(0)) },
        Case("ignoreElements") { $0.ignoreElements() },
        Case("map") { $0.map { $0 } },
        Case("reduce") { $0.reduce(0, accumulator: +) },
        Case("scan") { $0.scan(0, accumulator: +) },
        Case("scan(into:)") { $0.scan(into: 0, accumulator: +=) },
        Case("single") { $0.single { $0 == 10 } },
        Case("skip") { $0.skip(1) },
        Case("skip(until:)") { $0.skip(until: Observable<Int>.never()) },
        Case("skip(while:)") { $0.skip { $0 < 2 } },
        Case("take") { $0.take(10) },
        Case("take(until:)") { $0.take(until: Observable<Int>.never()) },
        Case("take(until:), with a predicate") { $0.take(until: { $0 > 10 }) },
        Case("take(while:)") { $0.take(while: { $0 < 10 }) },
        Case("takeLast") { $0.takeLast(2) },
        Case("toArray") { $0.toArray().asObservable() },
        Case("withUnretained") { $0.withUnretained(Self.object).map(\.1) },
    ]

    private static let object = Cell(0)

    private static func quietly<Result>(_ body: () throws -> Result) rethrows -> Result {
        let output = Hooks.debugOutput
        Hooks.debugOutput = { _ in }
        defer { Hooks.debugOutput = output }
        return try body()
    }

    @Test(arguments: operators) func errorsPassAndReleaseSource(_ operation: Case) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .error(230, TestError()), .next(240, 3)])
        let observer = Self.quietly { scheduler.start { operation.apply(hot.asObservable()) } }
        #expect(observer.events.last == .error(230, TestError()))
        #expect(observer.events.count { $0.value.isStopEvent } == 1)
        #expect(hot.subscriptions == [Subscription(200, 230)])
    }

    @Test(arguments: operators) func disposeReleasesSource(_ operation: Case) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(240, 3), .completed(250)])
        let observer = Self.quietly { scheduler.start(disposed: 230) { operation.apply(hot.asObservable()) } }
        #expect(observer.events.allSatisfy { $0.time <= 220 && !$0.value.isStopEvent })
        #expect(hot.subscriptions == [Subscription(200, 230)])
    }

    @Test(arguments: operators) func neverEmitsNothing(_ operation: Case) {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = Self.quietly { scheduler.start { operation.apply(.never()) } }
        #expect(observer.events.isEmpty)
    }

    @Test(arguments: operators) func eachSubscriptionHasItsOwnState(_ operation: Case) {
        Self.quietly {
            let once = operation.apply(.of(1, 2, 3))
            #expect(emitted(by: once) == emitted(by: once))
        }
    }

    /// After an end only that end is delivered, whatever the observer makes the source emit meanwhile.
    @Test(arguments: operators) func nothingFollowsEndOfReentrantSource(_ operation: Case) {
        let log = Cell<[Event<String>]>([])
        let subject = PublishSubject<Int>()
        Self.quietly {
            _ = operation.apply(subject.asObservable()).subscribe { event in
                log.append(event)
                guard !event.isStopEvent, log.value.count < 4 else { return }
                subject.onNext(log.value.count + 1)
                if log.value.count == 4 { subject.onCompleted() }
            }
            subject.onNext(1)
            subject.onNext(2)
            subject.onNext(3)
            subject.onCompleted()
        }
        #expect(log.value.count { $0.isStopEvent } == (operation.testDescription == "skip(until:)" ? 0 : 1))
        #expect(log.value.dropLast().allSatisfy { !$0.isStopEvent })
    }

    /// An operator with a closure that runs the given closure.
    struct ClosureCase: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let apply: @Sendable (Observable<Int>, @escaping @Sendable () throws -> Void) -> Observable<String>

        init<Output: Sendable>(
            _ name: String,
            _ apply: @escaping @Sendable (Observable<Int>, @escaping @Sendable () throws -> Void) -> Observable<Output>
        ) {
            testDescription = name
            self.apply = { source, call in apply(source, call).map { "\($0)" } }
        }
    }

    static let closures = [
        ClosureCase("compactMap") { source, call in source.compactMap { try after(call, $0) } },
        ClosureCase("distinctUntilChanged") { source, call in
            source.startingWith(0).distinctUntilChanged { try after(call, $0 == $1) }
        },
        ClosureCase("distinctUntilChanged, the key") { source, call in
            source.distinctUntilChanged { try after(call, $0) }
        },
        ClosureCase("distinctUntilChanged, by a key") { source, call in
            source.startingWith(0).distinctUntilChanged({ $0 }, comparer: { try after(call, $0 == $1) })
        },
        ClosureCase("do") { source, call in source.do(onNext: { _ in try call() }) },
        ClosureCase("do, at the end") { source, call in source.ignoreElements().do(onCompleted: call) },
        ClosureCase("filter") { source, call in source.filter { _ in try after(call, true) } },
        ClosureCase("map") { source, call in source.map { try after(call, $0) } },
        ClosureCase("reduce") { source, call in source.reduce(0) { try after(call, $0 + $1) } },
        ClosureCase("reduce, the result") { source, call in
            source.reduce(0, accumulator: +, mapResult: { try after(call, $0) })
        },
        ClosureCase("scan") { source, call in source.scan(0) { try after(call, $0 + $1) } },
        ClosureCase("scan(into:)") { source, call in source.scan(into: 0) { $0 = try after(call, $0 + $1) } },
        ClosureCase("single") { source, call in source.single { _ in try after(call, true) } },
        ClosureCase("skip(while:)") { source, call in source.skip { _ in try after(call, false) } },
        ClosureCase("take(until:)") { source, call in source.take(until: { _ in try after(call, false) }) },
        ClosureCase("take(until:), inclusive") { source, call in
            source.take(until: { _ in try after(call, true) }, behavior: .inclusive)
        },
        ClosureCase("take(while:)") { source, call in source.take(while: { _ in try after(call, true) }) },
        ClosureCase("take(while:), exclusive") { source, call in
            source.take(while: { _ in try after(call, false) })
        },
    ]

    @Test(arguments: closures) func errorFromClosureFailsSequence(_ operation: ClosureCase) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(210, 1), .completed(210), .next(220, 2)])
        let observer = scheduler.start {
            operation.apply(hot.asObservable()) { throw TestError("thrown") }
        }
        #expect(observer.events.filter { $0.time > 200 } == [.error(210, TestError("thrown"))])
        #expect(hot.subscriptions == [Subscription(200, 210)])
    }

    @Test(arguments: closures) func disposingInsideClosureDropsElement(_ operation: ClosureCase) {
        let log = Cell<[Event<String>]>([])
        let handle = SerialDisposable()
        let subject = PublishSubject<Int>()
        handle.disposable = operation.apply(subject.asObservable()) { handle.dispose() }
            .subscribe { log.append($0) }
        log.update { $0 = [] }
        subject.onNext(1)
        subject.onCompleted()
        #expect(log.value == [])
        #expect(!subject.hasObservers)
    }
}

private func after<Value>(_ call: () throws -> Void, _ value: Value) rethrows -> Value {
    try call()
    return value
}

extension ObservableType {
    /// The sequence with an element before it.
    fileprivate func startingWith(_ element: Element) -> Observable<Element> {
        let source = asObservable()
        return .source { sink in
            sink.next(element)
            return source.run(sink)
        }
    }
}
