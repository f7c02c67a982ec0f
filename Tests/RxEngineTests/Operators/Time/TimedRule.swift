import RxEngine
import RxEngineTest
import Testing

/// A rule of an operator with one source and a scheduler: what it emits for the events of a hot source, and when it
/// unsubscribes from it.
struct TimedRule<Output: Equatable & Sendable>: CustomTestStringConvertible, Sendable {
    typealias Operation = @Sendable (Observable<Int>, TestScheduler) -> Observable<Output>

    let testDescription: String
    private let apply: Operation
    private let source: [Recorded<Event<Int>>]
    private let result: [Recorded<Event<Output>>]
    private let left: [Subscription]
    private let disposed: Int

    init(
        _ name: String, _ apply: @escaping Operation, of source: [Recorded<Event<Int>>],
        is result: [Recorded<Event<Output>>], from start: Int = 200, to left: Int, disposed: Int = 1000
    ) {
        testDescription = name
        self.apply = apply
        self.source = source
        self.result = result
        self.left = [Subscription(start, left)]
        self.disposed = disposed
    }

    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(source)
        let observer = scheduler.start(disposed: disposed) { [apply] in apply(hot.asObservable(), scheduler) }
        #expect(observer.events == result, sourceLocation: sourceLocation)
        #expect(hot.subscriptions == left, sourceLocation: sourceLocation)
    }
}

extension Recorded where Value == Event<Int> {
    /// An element whose value is its time.
    static func at(_ time: Int) -> Self {
        .next(time, time)
    }
}
