import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// The deprecated names under test, called through a protocol: a witness may be deprecated where its requirement is
/// not.
private protocol Caller {
    static func all(_ scheduler: TestScheduler) -> [(String, (Observable<Int>) -> Observable<Int>)]
}

@Suite(.balanced) struct OldNamesTests {
    typealias Events = [Recorded<Event<Int>>]

    static let source: Events = [.next(210, 1), .next(220, 2), .next(230, 3), .error(240, TestError())]

    static let results: [String: Events] = [
        "observeOn": source,
        "subscribeOn": source,
        "catchError": [.next(210, 1), .next(220, 2), .next(230, 3), .next(240, 9), .completed(240)],
        "catchError sequence": [.next(210, 1), .next(220, 2), .next(230, 3), .next(240, 9), .completed(240)],
        "catchErrorJustReturn": [.next(210, 1), .next(220, 2), .next(230, 3), .next(240, 9), .completed(240)],
        "retryWhen": [.next(210, 1), .next(220, 2), .next(230, 3), .completed(240)],
        "retryWhen typed": [.next(210, 1), .next(220, 2), .next(230, 3), .completed(240)],
        "elementAt": [.next(220, 2), .completed(220)],
        "skipUntil": [.next(220, 2), .next(230, 3), .error(240, TestError())],
        "skipWhile": [.next(220, 2), .next(230, 3), .error(240, TestError())],
        "takeUntil": [.next(210, 1), .completed(215)],
        "takeUntil predicate": [.next(210, 1), .next(220, 2), .completed(220)],
        "takeWhile": [.next(210, 1), .completed(220)],
        "take": [.next(210, 1), .next(220, 2), .completed(225)],
    ]

    private enum Calls: Caller {
        @available(*, deprecated)
        static func all(_ scheduler: TestScheduler) -> [(String, (Observable<Int>) -> Observable<Int>)] {
            let trigger = scheduler.createHotObservable([.next(215, 0)])
            return [
                ("observeOn", { $0.observeOn(scheduler) }),
                ("subscribeOn", { $0.subscribeOn(scheduler) }),
                ("catchError", { $0.catchError { _ in .just(9) } }),
                ("catchError sequence", { Observable.catchError([$0, .just(9)]) }),
                ("catchErrorJustReturn", { $0.catchErrorJustReturn(9) }),
                ("retryWhen", { $0.retryWhen { (errors: Observable<any Error>) in errors.take(0) } }),
                ("retryWhen typed", { $0.retryWhen { (errors: Observable<TestError>) in errors.take(0) } }),
                ("elementAt", { $0.elementAt(1) }),
                ("skipUntil", { $0.skipUntil(trigger) }),
                ("skipWhile", { $0.skipWhile { $0 < 2 } }),
                ("takeUntil", { $0.takeUntil(trigger) }),
                ("takeUntil predicate", { $0.takeUntil(.inclusive) { $0 == 2 } }),
                ("takeWhile", { $0.takeWhile { $0 < 2 } }),
                ("take", { $0.take(.seconds(25), scheduler: scheduler) }),
            ]
        }
    }

    private static func calls<Calling: Caller>(
        _ type: Calling.Type, _ scheduler: TestScheduler
    ) -> [(String, (Observable<Int>) -> Observable<Int>)] {
        type.all(scheduler)
    }

    @Test(arguments: results.keys.sorted()) func oldNamesBehaveLikeNewNames(name: String) throws {
        let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
        let hot = scheduler.createHotObservable(Self.source)
        let call = try #require(Self.calls(Calls.self, scheduler).first { $0.0 == name }?.1)
        let result = call(hot.asObservable())
        #expect(scheduler.start { result }.events == Self.results[name])
    }
}
