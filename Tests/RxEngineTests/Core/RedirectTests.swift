import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// A run that redirects its sink to another source takes no stack, however often it does so.
@Suite(.balanced) struct RedirectTests {
    private static let depth = 100_000

    struct Recursion: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Emits something before `rest`, the remainder of the recursion.
        let step: @Sendable (Int, _ rest: @escaping @Sendable () -> Observable<Int>) -> Observable<Int>

        init(
            _ name: String,
            _ step: @escaping @Sendable (Int, @escaping @Sendable () -> Observable<Int>) -> Observable<Int>
        ) {
            testDescription = name
            self.step = step
        }

        func from(_ number: Int) -> Observable<Int> {
            number == 0 ? .just(0) : step(number) { [self] in from(number - 1) }
        }
    }

    static let recursions: [Recursion] = [
        .init("deferred", { _, rest in .deferred { rest() } }),
        .init("startWith", { number, rest in Observable.deferred { rest().startWith(number) } }),
        .init("flatMap", { number, rest in Observable.just(number).flatMap { _ in rest() } }),
        .init("flatMapFirst", { number, rest in Observable.just(number).flatMapFirst { _ in rest() } }),
        .init("flatMapLatest", { number, rest in Observable.just(number).flatMapLatest { _ in rest() } }),
        .init("concatMap", { number, rest in Observable.just(number).concatMap { _ in rest() } }),
        .init("map and switchLatest", { number, rest in Observable.just(number).map { _ in rest() }.switchLatest() }),
        .init(
            "filter and flatMap", { number, rest in Observable.just(number).filter { $0 > 0 }.flatMap { _ in rest() } }),
        .init("map and merge", { number, rest in Observable.just(number).map { _ in rest() }.merge() }),
        .init("map and concat", { number, rest in Observable.just(number).map { _ in rest() }.concat() }),
        .init(
            "flatMapLatest and startWith",
            { number, rest in
                Observable.just(number).flatMapLatest { _ in rest().startWith(number) }
            }),
        .init("concat", { number, rest in Observable.just(number).concat(Observable.deferred { rest() }) }),
    ]

    @Test(arguments: recursions.indices) func recursionTakesNoStack(_ index: Int) {
        onSmallStack {
            let last = Cell(-1)
            let ends = Cell(0)
            _ = Self.recursions[index].from(Self.depth).subscribe(
                onNext: { value in last.update { $0 = value } }, onCompleted: { ends.update { $0 += 1 } })
            #expect(last.value == 0 && ends.value == 1)
        }
    }

    @Test func endlessRecursionIsStoppedFromDownstream() {
        @Sendable func numbers(from number: Int) -> Observable<Int> {
            .deferred { numbers(from: number + 1).startWith(number) }
        }
        onSmallStack {
            let sum = Cell(0)
            _ = numbers(from: 1).take(Self.depth).subscribe(onNext: { value in sum.update { $0 += value } })
            #expect(sum.value == Self.depth * (Self.depth + 1) / 2)
        }
    }

    @Test func manyStackedRedirectsTakeNoStack() {
        onSmallStack {
            let count = Cell(0)
            var source = Observable.just(0)
            for number in 1...Self.depth { source = source.startWith(number) }
            for _ in 1...Self.depth { source = .deferred { [source] in source } }
            _ = source.subscribe(onNext: { _ in count.update { $0 += 1 } })
            #expect(count.value == Self.depth + 1)
        }
    }

    @Test func scalarSourceIsRunInPlace() {
        let scheduler = TestScheduler(initialClock: 0)
        let inner = scheduler.createColdObservable([.next(10, 1), .completed(20)])
        let observer = scheduler.start { Observable.just(0).flatMap { _ in inner } }
        #expect(observer.events == [.next(210, 1), .completed(220)])
        #expect(inner.subscriptions == [Subscription(200, 220)])
    }

    @Test func redirectWithoutSource() {
        let fails: @Sendable (Int) throws -> Observable<Int> = { _ in throw TestError() }
        #expect(emitted(by: Observable.just(1).flatMap(fails)) == [.error(TestError())])
        let failing = Observable.just(1).map { _ -> Int in throw TestError() }
        #expect(emitted(by: failing.concatMap { Observable.just($0) }) == [.error(TestError())])
        #expect(emitted(by: Observable.just(1).filter { $0 > 1 }.flatMapLatest(fails)) == [.completed])
        #expect(emitted(by: Observable.just(1).startWith(2, 3).take(1)) == [.next(2), .completed])
    }

    @Test(arguments: [0, 1, 2]) func disposingInsideClosureRunsNothing(kind: Int) {
        let subscription = SerialDisposable()
        let runs = Cell(0)
        let inner = Observable<Int>.create { _ in
            runs.update { $0 += 1 }
            return Disposables.create()
        }
        let leave: @Sendable () -> Observable<Int> = {
            subscription.dispose()
            return inner
        }
        let start = PublishSubject<Int>()
        let source: Observable<Int> =
            switch kind {
            case 0: .deferred { leave() }
            case 1: Observable.just(1).flatMap { _ in leave() }
            default: inner.startWith(1).do(onNext: { _ in subscription.dispose() })
            }
        subscription.disposable = start.flatMap { _ in source }.subscribe(onNext: { _ in
            Issue.record("an element was emitted")
        })
        start.onNext(1)
        #expect(runs.value == 0)
        #expect(!start.hasObservers)
    }
}
