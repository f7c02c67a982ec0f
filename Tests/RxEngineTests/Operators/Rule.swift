import RxEngine
import RxEngineTest
import Testing

/// A rule of an operator with one source: what it emits for the events of a hot source, and when it unsubscribes from
/// it.
struct Rule<Input: Sendable, Output: Equatable & Sendable>: CustomTestStringConvertible, Sendable {
    let testDescription: String
    private let apply: @Sendable (Observable<Input>) -> Observable<Output>
    private let source: [Recorded<Event<Input>>]
    private let result: [Recorded<Event<Output>>]
    private let left: Int?

    /// - Parameter left: when the source is unsubscribed from; `nil` if it must not be subscribed to.
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

/// The events that a source emits inside `subscribe`.
func emitted<Element: Sendable>(by source: Observable<Element>) -> [Event<Element>] {
    let log = EventLog<Element>()
    _ = source.subscribe(log)
    return log.events
}

// Unchecked: the lock guards the events.
/// An observer that records its events, on any thread.
final class EventLog<Element>: ObserverType, @unchecked Sendable {
    private let log = Locked<[Event<Element>]>([])

    var events: [Event<Element>] { log.withLock { $0 } }

    func on(_ event: Event<Element>) {
        log.withLock { $0.append(event) }
    }
}
