import RxEngine
import RxEngineTest
import Testing

/// A rule of an operator with two sources: what it emits for the events of two hot sources, and when it unsubscribes
/// from each.
struct TwoSourceRule<Output: Equatable & Sendable>: CustomTestStringConvertible, Sendable {
    typealias Events = [Recorded<Event<Int>>]

    let testDescription: String
    private let apply: @Sendable (Observable<Int>, Observable<Int>) -> Observable<Output>
    private let sources: (Events, Events)
    private let result: [Recorded<Event<Output>>]
    private let left: (Int, Int)

    init(
        _ name: String, _ apply: @escaping @Sendable (Observable<Int>, Observable<Int>) -> Observable<Output>,
        of first: Events, _ second: Events, is result: [Recorded<Event<Output>>], left: (Int, Int)
    ) {
        testDescription = name
        self.apply = apply
        sources = (first, second)
        self.result = result
        self.left = left
    }

    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createHotObservable(sources.0)
        let second = scheduler.createHotObservable(sources.1)
        let observer = scheduler.start { [apply] in apply(first.asObservable(), second.asObservable()) }
        #expect(observer.events == result, sourceLocation: sourceLocation)
        #expect(first.subscriptions == [Subscription(200, left.0)], sourceLocation: sourceLocation)
        #expect(second.subscriptions == [Subscription(200, left.1)], sourceLocation: sourceLocation)
    }
}
