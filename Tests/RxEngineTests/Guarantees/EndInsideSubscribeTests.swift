import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// A source that emits inside `subscribe` cannot be disposed from outside then: the operators stop it when the result has
/// ended.
@Suite(.balanced) struct EndInsideSubscribeTests {
    struct Operation: CustomTestStringConvertible, Sendable {
        let name: String
        let apply: @Sendable (Observable<Int>, PublishSubject<Int>) -> Observable<Int>

        init(_ name: String, _ apply: @escaping @Sendable (Observable<Int>, PublishSubject<Int>) -> Observable<Int>) {
            self.name = name
            self.apply = apply
        }

        var testDescription: String { name }
    }

    /// Each ends at the third element, at which `mark` emits, or before it.
    static let operations: [Operation] = [
        .init("buffer(until:)") { $0.buffer(until: $1).map(\.count).take(1) },
        .init("buffer(while:)") { source, _ in source.buffer(while: { $0 < 3 }).map(\.count).take(1) },
        .init("window(until:)") { $0.window(until: $1).map { _ in 0 }.take(2) },
        .init("window(until:), window") { $0.window(until: $1).take(1).flatMap { $0.take(2) } },
        .init("pausableBuffered") { source, _ in source.pausableBuffered(Observable.just(true), limit: 1).take(2) },
        .init("pausableBuffered, gate") { $0.pausableBuffered($1.map { _ in true }, limit: 9).take(2) },
        .init("pausableBuffered, error") { source, _ in
            source.pausableBuffered(Observable<Bool>.never(), limit: 2, overflow: .error)
        },
        .init("zip(longest:)") { source, _ in
            .zip(longest: Observable.just(1), source) { $0 ?? $1 ?? 0 }.take(2)
        },
        .init("combineLatestDelayError") { source, _ in
            .combineLatestDelayError(Observable.just(1), source) { $0 + $1 }.take(2)
        },
        .init("concatMapEager, outer") { source, _ in source.concatMapEager { Observable.just($0) }.take(2) },
        .init("concatMapEager, inner") { source, _ in Observable.of(1, 2).concatMapEager { _ in source }.take(2) },
        .init("concatEager") { source, _ in .concatEager(source, source).take(2) },
        .init("repeat(when:)") { source, _ in source.repeat { $0 }.take(2) },
        .init("repeat(when:), notifications") { source, mark in source.repeat { _ in mark }.take(2) },
        .init("switchOnFirst") { source, _ in source.switchOnFirst { _, all in all }.take(2) },
        .init("switchOnFirst, mark") { source, mark in source.switchOnFirst { _, _ in mark.asObservable() }.take(1) },
        .init("onTerminateDetach") { source, _ in source.onTerminateDetach().take(2) },
        .init("counted") { source, _ in source.counted(in: Demand(limit: 1)) { $0 }.take(2) },
        .init("takeUntil") { $0.take(until: $1) },
    ]

    @Test(arguments: operations) func sourceStops(_ operation: Operation) {
        let mark = PublishSubject<Int>()
        let emitted = Cell(0)
        let source = Observable<Int>.source(onTrampoline: false) { sink in
            for number in 1...100 where sink.live.isActive {
                emitted.update { $0 += 1 }
                sink.next(number)
                if number == 3 { mark.onNext(number) }
            }
            return Disposables.create()
        }
        let subscription = operation.apply(source, mark).subscribe(onError: { _ in })
        // A marked operator may notice the end at the next element.
        #expect(emitted.value <= 4)
        #expect(emitted.value > 0)
        subscription.dispose()
        #expect(!mark.hasObservers)
    }
}
