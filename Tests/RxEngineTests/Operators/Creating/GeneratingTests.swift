import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Tests of sources that count, repeat or compute: `range`, `repeatElement`, `generate`, `from(optional:)`.
@Suite(.balanced) struct GeneratingTests {
    /// A source on a scheduler, and its expected events.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let make: @Sendable (any ImmediateSchedulerType) -> Observable<Int>
        let result: [Recorded<Event<Int>>]

        init(
            _ name: String, _ make: @escaping @Sendable (any ImmediateSchedulerType) -> Observable<Int>,
            is result: [Recorded<Event<Int>>]
        ) {
            testDescription = name
            self.make = make
            self.result = result
        }
    }

    static let table = [
        Case(
            "range", { .range(start: 10, count: 3, scheduler: $0) },
            is: [.next(201, 10), .next(202, 11), .next(203, 12), .completed(204)]),
        Case("range of none", { .range(start: 0, count: 0, scheduler: $0) }, is: [.completed(201)]),
        Case(
            "range from the lowest", { .range(start: .min, count: 1, scheduler: $0) },
            is: [.next(201, .min), .completed(202)]),
        Case(
            "range to the highest", { .range(start: .max, count: 1, scheduler: $0) },
            is: [.next(201, .max), .completed(202)]),
        Case(
            "repeatElement", { Observable.repeatElement(7, scheduler: $0).take(3) },
            is: [.next(201, 7), .next(202, 7), .next(203, 7), .completed(203)]),
        Case(
            "generate", { .generate(initialState: 1, condition: { $0 < 8 }, scheduler: $0, iterate: { $0 * 2 }) },
            is: [.next(201, 1), .next(202, 2), .next(203, 4), .completed(204)]),
        Case(
            "generate, the condition fails",
            { .generate(initialState: 1, condition: { _ in throw TestError() }, scheduler: $0, iterate: { $0 }) },
            is: [.error(201, TestError())]),
        Case(
            "generate, the iteration fails",
            {
                .generate(initialState: 1, condition: { _ in true }, scheduler: $0, iterate: { _ in throw TestError() })
            },
            is: [.next(201, 1), .error(202, TestError())]),
        Case("an optional", { .from(optional: 1, scheduler: $0) }, is: [.next(201, 1), .completed(202)]),
        Case("no optional", { .from(optional: nil, scheduler: $0) }, is: [.completed(201)]),
        Case("of", { .of(1, 2, scheduler: $0) }, is: [.next(201, 1), .next(202, 2), .completed(203)]),
        Case("from a sequence", { .from(1...2, scheduler: $0) }, is: [.next(201, 1), .next(202, 2), .completed(203)]),
    ]

    @Test(arguments: table) func rules(_ rule: Case) {
        let scheduler = TestScheduler(initialClock: 0)
        #expect(scheduler.start { rule.make(scheduler) }.events == rule.result)
    }

    @Test(arguments: table) func disposeStopsSource(_ rule: Case) {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.start(disposed: 202) { rule.make(scheduler) }
        #expect(observer.events == rule.result.filter { $0.time < 202 })
    }

    /// On the current-thread scheduler, where a source loops, it emits the same events.
    @Test(arguments: table) func currentThreadSchedulerEmitsSame(_ rule: Case) {
        #expect(emitted(by: rule.make(CurrentThreadScheduler.instance)) == rule.result.map(\.value))
    }

    @Test func noStateIsComputedAfterDispose() {
        let made = Cell(0)
        let source = Observable.generate(
            initialState: 0, condition: { _ in true },
            iterate: {
                made.update { $0 += 1 }
                return $0 + 1
            })
        #expect(emitted(by: source.take(4)).count == 5)
        #expect(made.value == 3)
    }

    @Test func disposingInsideClosuresStopsSource() {
        let log = Cell<[Int]>([])
        for inCondition in [true, false] {
            let handle = SerialDisposable()
            let source = Observable.generate(
                initialState: 0,
                condition: {
                    if $0 == 1, inCondition { handle.dispose() }
                    return true
                },
                iterate: {
                    if !inCondition { handle.dispose() }
                    return $0 + 1
                })
            // The handle must exist before the source has run.
            handle.disposable = CurrentThreadScheduler.instance.schedule(()) {
                handle.disposable = source.subscribe(onNext: { log.append($0) })
                return Disposables.create()
            }
        }
        #expect(log.value == [0, 0])
    }

    @Test func impossibleRangesTrap() async {
        await #expect(processExitsWith: .failure) { _ = Observable.range(start: 0, count: -1) }
        await #expect(processExitsWith: .failure) { _ = Observable<Int>.range(start: .max, count: 2) }
        await #expect(processExitsWith: .failure) { _ = Observable<Int8>.range(start: 100, count: 29) }
    }

    @Test func rangeCoversAllValuesOfSmallIntegers() {
        let events = emitted(by: Observable<UInt8>.range(start: 1, count: 255))
        #expect(events.count == 256 && events.dropLast().last == .next(255))
    }
}
