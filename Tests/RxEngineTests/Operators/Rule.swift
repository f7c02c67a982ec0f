import RxEngine
import RxEngineTest
import Testing

/// A rule of an operator with one source: what comes of what a hot source tells, and when the source is left.
struct Rule<Input: Sendable, Output: Equatable & Sendable>: CustomTestStringConvertible, Sendable {
    let testDescription: String
    private let apply: @Sendable (Observable<Input>) -> Observable<Output>
    private let source: [Recorded<Event<Input>>]
    private let result: [Recorded<Event<Output>>]
    private let left: Int?

    /// `left` is `nil` where the source is not to be subscribed to at all.
    init(
        _ name: String, _ apply: @escaping @Sendable (Observable<Input>) -> Observable<Output>,
        of source: [Recorded<Event<Input>>], is result: [Recorded<Event<Output>>], left: Int?
    ) {
        testDescription = name
        self.apply = apply
        self.source = source
        self.result = result
        self.left = left
    }

    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(source)
        let observer = scheduler.start { [apply] in apply(hot.asObservable()) }
        #expect(observer.events == result, sourceLocation: sourceLocation)
        #expect(hot.subscriptions == (left.map { [Subscription(200, $0)] } ?? []), sourceLocation: sourceLocation)
    }
}

/// Everything that a source told inside `subscribe`.
func told<Element: Sendable>(by source: Observable<Element>) -> [Event<Element>] {
    let log = EventLog<Element>()
    _ = source.subscribe(log)
    return log.events
}

// Unchecked: used on one thread.
/// An observer that keeps what it is told.
final class EventLog<Element>: ObserverType, @unchecked Sendable {
    private(set) var events: [Event<Element>] = []

    func on(_ event: Event<Element>) {
        events.append(event)
    }
}
