import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// A source whose elements name inner sequences, and what an operator must emit for them.
struct FlatteningRule: Sendable, CustomTestStringConvertible {
    typealias Events = [Recorded<Event<Int>>]
    typealias Operator =
        @Sendable (Observable<Int>, @escaping @Sendable (Int) throws -> Observable<Int>) ->
        Observable<Int>

    var name: String
    /// The events of the hot source. A negative element makes the selector throw.
    var source: Events = [.next(210, 0), .next(250, 1), .next(290, 2), .completed(320)]
    /// The events of the cold inner sequences.
    var inner: [Events] = [
        [.next(10, 0), .next(50, 1), .completed(60)],
        [.next(15, 10), .next(45, 11), .completed(55)],
        [.next(11, 20), .next(41, 21), .completed(51)],
    ]
    var disposed = 1000
    var result: Events
    /// When the source is unsubscribed from.
    var left: Int
    /// When each inner sequence is subscribed to and unsubscribed from.
    var inners: [[Subscription]]

    var testDescription: String { name }

    /// Checks operators that must behave alike.
    func check(_ operators: Operator...) {
        for apply in operators {
            let scheduler = TestScheduler(initialClock: 0)
            let hot = scheduler.createHotObservable(source)
            let cold = inner.map(scheduler.createColdObservable)
            let observer = scheduler.start(disposed: disposed) {
                apply(hot.asObservable()) { number in
                    if number < 0 { throw TestError("selector") }
                    return cold[number].asObservable()
                }
            }
            #expect(observer.events == result)
            #expect(hot.subscriptions == [Subscription(200, left)])
            #expect(cold.map(\.subscriptions) == inners)
        }
    }
}

/// The flattening operators, applied to a source whose elements name inner sequences.
enum Flattening: String, CaseIterable {
    case flatMap, flatMapFirst, flatMapLatest, concatMap, merge, mergeTwo, mergeOne, concat, switchLatest

    func apply<Inner: ObservableConvertibleType>(
        _ source: Observable<Int>, _ select: @escaping @Sendable (Int) throws -> Inner
    ) -> Observable<Inner.Element> {
        switch self {
        case .flatMap: source.flatMap(select)
        case .flatMapFirst: source.flatMapFirst(select)
        case .flatMapLatest: source.flatMapLatest(select)
        case .concatMap: source.concatMap(select)
        case .merge: source.map(select).merge()
        case .mergeTwo: source.map(select).merge(maxConcurrent: 2)
        case .mergeOne: source.map(select).merge(maxConcurrent: 1)
        case .concat: source.map(select).concat()
        case .switchLatest: source.map(select).switchLatest()
        }
    }
}
