import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct BufferCountTests {
    /// The buffers that are emitted for the elements 1 to 7, before completion and at completion.
    static let table: [(count: Int, skip: Int?, before: [[Int]], atTheEnd: [[Int]])] = [
        (1, nil, [[1], [2], [3], [4], [5], [6], [7]], []),
        (2, nil, [[1, 2], [3, 4], [5, 6]], [[7]]),
        (7, nil, [[1, 2, 3, 4, 5, 6, 7]], []),
        (8, nil, [], [[1, 2, 3, 4, 5, 6, 7]]),
        (3, 1, [[1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6], [5, 6, 7]], [[6, 7], [7]]),
        (3, 2, [[1, 2, 3], [3, 4, 5], [5, 6, 7]], [[7]]),
        (2, 3, [[1, 2], [4, 5]], [[7]]),
        (1, 3, [[1], [4], [7]], []),
        (1, 100, [[1]], []),
    ]

    @Test(arguments: table) func arrays(count: Int, skip: Int?, before: [[Int]], atTheEnd: [[Int]]) {
        let buffers = Observable.range(start: 1, count: 7).buffer(count: count, skip: skip)
        #expect(emitted(by: buffers) == (before + atTheEnd).map { .next($0) } + [.completed])
        let failing = Observable.range(start: 1, count: 7).concat(Observable.error(TestError()))
        #expect(
            emitted(by: failing.buffer(count: count, skip: skip)) == before.map { .next($0) } + [.error(TestError())])
    }

    static let rules: [Rule<Int, [Int]>] = [
        .init(
            "buffers are emitted when full", { $0.buffer(count: 2) },
            of: [.next(210, 1), .next(220, 2), .next(230, 3), .completed(250)],
            is: [.next(220, [1, 2]), .next(250, [3]), .completed(250)], left: 250),
        .init("empty", { $0.buffer(count: 2) }, of: [.completed(250)], is: [.completed(250)], left: 250),
        .init("never", { $0.buffer(count: 2, skip: 1) }, of: [.next(210, 1)], is: [], left: 1000),
    ]

    @Test(arguments: rules) func rule(_ rule: Rule<Int, [Int]>) {
        rule.check()
    }

    @Test func remainderIsNotEmittedAfterDisposal() {
        #expect(
            emitted(by: Observable.of(1, 2).buffer(count: 3, skip: 1).take(1)) == [.next([1, 2]), .completed])
    }

    @Test func invalidCountTraps() async {
        await #expect(processExitsWith: .failure) { _ = Observable.just(1).buffer(count: 0) }
        await #expect(processExitsWith: .failure) { _ = Observable.just(1).buffer(count: 1, skip: 0) }
    }
}
