import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// A run that was disposed calls nothing downstream, although its sources may still emit: another thread may be in the
/// middle of an event, and an event that arrives while an element is delivered waits for its turn.
@Suite(.balanced) struct LateEventsTests {
    struct Operation: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let apply: @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>

        init(
            _ name: String, _ apply: @escaping @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>
        ) {
            testDescription = name
            self.apply = apply
        }
    }

    static let operations: [Operation] = [
        .init("amb") { $0.amb($1) },
        .init("auditTime") { source, _ in source.auditTime(.seconds(0), scheduler: HistoricalScheduler()) },
        .init("buffer(until:)") { $0.buffer(until: $1).map { $0.count } },
        .init("combineLatest") { .combineLatest($0, $1) { $0 + $1 } },
        .init("expand") { source, _ in source.expand { _ in source } },
        .init("flatMap(maxConcurrent:)") { source, _ in source.flatMap(maxConcurrent: 1) { _ in source } },
        .init("concatMapEager") { source, _ in source.concatMapEager { _ in source } },
        .init("flatMap(maxConcurrent:)") { source, _ in source.flatMap(maxConcurrent: 1) { _ in source } },
        .init("ifEmpty(switchTo:)") { $0.ifEmpty(switchTo: $1) },
        .init("merge") { .merge($0, $1) },
        .init("onTerminateDetach") { source, _ in source.onTerminateDetach() },
        .init("pausableBuffered, open") { source, mark in
            source.pausableBuffered(mark.map { _ in true }.startWith(true), limit: 9)
        },
        .init("pausableBuffered, opened") { source, mark in source.pausableBuffered(mark.map { $0 != 3 }, limit: 9) },
        .init("pausableBuffered, full") { source, mark in
            source.pausableBuffered(mark.map { $0 == 1 }, limit: 1, overflow: .error)
        },
        .init("repeat(when:)") { source, mark in source.repeat { _ in mark } },
        .init("retry(when:)") { source, mark in source.retry { (_: Observable<any Error>) in mark } },
        .init("sample") { $0.sample($1) },
        .init("switchOnFirst") { source, _ in source.switchOnFirst { _, all in all } },
        .init("window(until:)") { $0.window(until: $1).map { _ in 0 } },
        .init("withLatestFrom") { $0.withLatestFrom($1) { $0 + $1 } },
        .init("zip") { .zip($0, $1) { $0 + $1 } },
        .init("zip(longest:)") { .zip(longest: $0, $1) { ($0 ?? 0) + ($1 ?? 0) } },
    ]

    /// A source whose sinks, one for each run, the test calls.
    private final class OpenSource: Sendable {
        private let sinks = Cell<[OneSink]>([])

        // Unchecked: the test runs on one thread.
        private struct OneSink: @unchecked Sendable {
            let sink: Sink<Int>
        }

        var observable: Observable<Int> {
            .source(onTrampoline: false) { [sinks] sink in
                sinks.append(OneSink(sink: sink))
                return Disposables.create()
            }
        }

        func on(_ event: Event<Int>) {
            for one in sinks.value { one.sink.on(event) }
        }

        func release() {
            sinks.update { $0 = [] }
        }
    }

    /// What the sources emit late: events of the source, and of the other sequence.
    private static let lateEvents: [(source: [Event<Int>], mark: [Event<Int>])] = [
        ([.next(2), .completed], [.next(2), .completed]),
        ([.next(2), .error(TestError())], [.next(2)]),
        ([.next(2), .next(3)], [.next(2), .error(TestError())]),
        ([.completed], [.next(3), .next(2)]),
        ([.next(4)], [.next(3), .next(4), .completed]),
        ([.error(TestError())], [.completed]),
        ([], [.error(TestError())]),
    ]

    /// Calls `check` for each order of the late events of both sequences.
    private func forEachOrder(_ check: ([(isMark: Bool, event: Event<Int>)]) -> Void) {
        for (source, mark) in Self.lateEvents {
            let (first, second) = (source.map { (false, $0) }, mark.map { (true, $0) })
            check(first + second)
            check(second + first)
        }
    }

    @Test(arguments: operations) func eventsAfterDisposalAreNotPassedOn(_ operation: Operation) {
        forEachOrder { late in
            let (source, mark, calls) = (OpenSource(), OpenSource(), Cell(0))
            let subscription = operation.apply(source.observable, mark.observable)
                .countingCalls(calls).subscribe(onError: { _ in })
            source.on(.next(1))
            mark.on(.next(1))
            subscription.dispose()
            let before = calls.value
            for (isMark, event) in late { (isMark ? mark : source).on(event) }
            #expect(calls.value == before, "after \(late)")
            source.release()
            mark.release()
        }
    }

    @Test(arguments: operations) func eventsBeforeDisposalInsideElementAreNotPassedOnAfterIt(_ operation: Operation) {
        forEachOrder { late in
            let (source, mark, calls) = (OpenSource(), OpenSource(), Cell(0))
            let subscription = SerialDisposable()
            let disposed = Cell<Int?>(nil)
            subscription.disposable = operation.apply(source.observable, mark.observable)
                .countingCalls(calls)
                .subscribe { event in
                    guard disposed.value == nil, event.element != nil else { return }
                    disposed.update { $0 = 0 }
                    for (isMark, event) in late { (isMark ? mark : source).on(event) }
                    subscription.dispose()
                    disposed.update { $0 = calls.value }
                }
            source.on(.next(1))
            mark.on(.next(1))
            if let before = disposed.value { #expect(calls.value == before, "\(late)") }
            subscription.dispose()
            source.release()
            mark.release()
        }
    }

    /// Operators that emit an element when the source completes.
    static let operationsWithRest: [Operation] = [
        .init("buffer(count:)") { source, _ in source.buffer(count: 9).map { $0.count } },
        .init("buffer(until:)") { $0.buffer(until: $1).map { $0.count } },
        .init("buffer(while:)") { source, _ in source.buffer(while: { _ in true }).map { $0.count } },
        .init("ifEmpty(default:)") { source, _ in source.filter { _ in false }.ifEmpty(default: 1) },
        .init("reduce") { source, _ in source.reduce(0, accumulator: +) },
        .init("takeLast") { source, _ in source.takeLast(2) },
    ]

    @Test(arguments: operationsWithRest) func observerThatDisposesAtRestReceivesNoCompletion(_ operation: Operation) {
        let (source, mark, calls) = (OpenSource(), OpenSource(), Cell(0))
        let subscription = SerialDisposable()
        subscription.disposable = operation.apply(source.observable, mark.observable).countingCalls(calls)
            .subscribe(onNext: { _ in subscription.dispose() })
        source.on(.next(1))
        source.on(.next(2))
        #expect(calls.value == 0)
        source.on(.completed)
        #expect(calls.value == 1)
        source.release()
        mark.release()
    }
}
