import RxEngine
import RxEngineBlocking
import TestSupport
import Testing

@Suite(.balanced) struct BlockingResultsTests {
    struct Row: Sendable {
        let elements: [Int]
        var fails = false
        let toArray: String
        let first: String
        let last: String
        let single: String
        let materialize: String
    }

    static let rows = [
        Row(
            elements: [], toArray: "[]", first: "nil", last: "nil", single: "throws \(RxError.noElements)",
            materialize: "completed(elements: [])"),
        Row(
            elements: [1], toArray: "[1]", first: "1", last: "1", single: "1",
            materialize: "completed(elements: [1])"),
        Row(
            elements: [1, 2, 3], toArray: "[1, 2, 3]", first: "1", last: "3",
            single: "throws \(RxError.moreThanOneElement)", materialize: "completed(elements: [1, 2, 3])"),
        Row(
            elements: [], fails: true, toArray: "throws e", first: "throws e", last: "throws e", single: "throws e",
            materialize: "failed(elements: [], error: e)"),
        Row(
            elements: [1], fails: true, toArray: "throws e", first: "1", last: "throws e", single: "throws e",
            materialize: "failed(elements: [1], error: e)"),
        Row(
            elements: [1, 2], fails: true, toArray: "throws e", first: "1", last: "throws e",
            single: "throws \(RxError.moreThanOneElement)", materialize: "failed(elements: [1, 2], error: e)"),
    ]

    /// Where the events come from: inside `subscribe`, on the calling thread's trampoline, or on another thread.
    enum Place: CaseIterable {
        case inside, trampoline, elsewhere
    }

    @Test(arguments: rows, Place.allCases) func everyBlockingMethodReturnsItsResult(row: Row, place: Place) {
        let source = source(of: row, place).toBlocking()
        #expect(text { try source.toArray() } == row.toArray)
        #expect(text { try source.first().map(String.init) ?? "nil" } == row.first)
        #expect(text { try source.last().map(String.init) ?? "nil" } == row.last)
        #expect(text { try source.single() } == row.single)
        let materialized =
            switch source.materialize() {
            case .completed(let elements): "completed(elements: \(elements))"
            case .failed(let elements, let error): "failed(elements: \(elements), error: \(error))"
            }
        #expect(materialized == row.materialize)
    }

    static let predicates: [(wanted: Set<Int>, expected: String)] = [
        ([], "throws \(RxError.noElements)"),
        ([2], "2"),
        ([1, 3], "throws \(RxError.moreThanOneElement)"),
        ([-1], "throws e"),
    ]

    @Test(arguments: predicates) func singleConsidersElementsThatSatisfyPredicate(wanted: Set<Int>, expected: String) {
        let source = Observable.of(1, 2, 3).toBlocking()
        let result = text {
            try source.single {
                if wanted.contains(-1) { throw TestError("e") }
                return wanted.contains($0)
            }
        }
        #expect(result == expected)
    }

    @Test func singleStopsEndlessSourceAtSecondMatch() {
        let source = Observable.from(0...).toBlocking()
        #expect(text { try source.single { $0 % 2 == 1 } } == "throws \(RxError.moreThanOneElement)")
    }

    private func source(of row: Row, _ place: Place) -> Observable<Int> {
        let events = row.elements.map { Event.next($0) } + [row.fails ? .error(TestError("e")) : .completed]
        switch place {
        case .inside:
            return .create { observer in
                for event in events { observer.on(event) }
                return Disposables.create()
            }
        case .trampoline: return emitting(events, on: CurrentThreadScheduler.instance)
        case .elsewhere: return emitting(events, on: SerialDispatchQueueScheduler(qos: .default))
        }
    }

    private func emitting(_ events: [Event<Int>], on scheduler: any ImmediateSchedulerType) -> Observable<Int> {
        Observable.from(events, scheduler: scheduler)
            .filter { !$0.isCompleted }
            .map { event in
                if let error = event.error { throw error }
                return event.element ?? -1
            }
    }

    private func text(_ body: () throws -> Any) -> String {
        do { return "\(try body())" } catch { return "throws \(error)" }
    }
}
