import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// The operators of an infallible, in virtual time.
@Suite(.balanced) struct InfallibleOperatorTests {
    typealias Events = [Recorded<Event<Int>>]
    typealias Operation = @Sendable (Infallible<Int>, TestScheduler) -> Infallible<Int>

    struct Rule: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var result: Events
        var left: Int
        var operation: Operation

        init(_ name: String, _ result: Events, left: Int = 240, _ operation: @escaping Operation) {
            testDescription = name
            self.result = result
            self.left = left
            self.operation = operation
        }
    }

    static let source: Events = [.next(210, 1), .next(220, 1), .next(230, 2), .completed(240)]

    /// Emits an element at each of these times, and never ends.
    @Sendable private static func ticks(_ scheduler: TestScheduler, _ times: Int...) -> Infallible<Int> {
        scheduler.createHotObservable(times.map { .next($0, $0) } as Events).asInfallible(onErrorJustReturn: 0)
    }

    static let rules: [Rule] = [
        Rule("map", [.next(210, 10), .next(220, 10), .next(230, 20), .completed(240)]) { source, _ in
            source.map { $0 * 10 }
        },
        Rule("filter", [.next(230, 2), .completed(240)]) { source, _ in source.filter { $0 > 1 } },
        Rule("compactMap", [.next(230, 20), .completed(240)]) { source, _ in
            source.compactMap { $0 > 1 ? $0 * 10 : nil }
        },
        Rule("flatMap", [.next(212, 0), .next(222, 0), .next(232, 0), .completed(240)]) { source, scheduler in
            source.flatMap { _ in Single<Int>.timer(.seconds(2), scheduler: scheduler) }
        },
        Rule("flatMapLatest", [.next(245, 0), .completed(245)]) { source, scheduler in
            source.flatMapLatest { _ in Single<Int>.timer(.seconds(15), scheduler: scheduler) }
        },
        Rule("flatMapFirst", [.next(225, 0), .next(245, 0), .completed(245)]) { source, scheduler in
            source.flatMapFirst { _ in Single<Int>.timer(.seconds(15), scheduler: scheduler) }
        },
        Rule("concatMap", [.next(225, 0), .next(240, 0), .next(255, 0), .completed(255)]) { source, scheduler in
            source.concatMap { _ in Single<Int>.timer(.seconds(15), scheduler: scheduler) }
        },
        Rule("distinctUntilChanged()", [.next(210, 1), .next(230, 2), .completed(240)]) { source, _ in
            source.distinctUntilChanged()
        },
        Rule("distinctUntilChanged(key)", [.next(210, 1), .completed(240)]) { source, _ in
            source.distinctUntilChanged { $0 / 10 }
        },
        Rule("distinctUntilChanged(comparer)", [.next(210, 1), .completed(240)]) { source, _ in
            source.distinctUntilChanged { _, _ in true }
        },
        Rule("distinctUntilChanged(key, comparer)", [.next(210, 1), .next(230, 2), .completed(240)]) { source, _ in
            source.distinctUntilChanged({ "\($0)" }, comparer: { $0 == $1 })
        },
        Rule("distinctUntilChanged(at:)", [.next(210, 1), .next(230, 2), .completed(240)]) { source, _ in
            source.distinctUntilChanged(at: \.description)
        },
        Rule("debounce", [.next(240, 2), .completed(240)]) { source, scheduler in
            source.debounce(.seconds(15), scheduler: scheduler)
        },
        Rule("throttle", [.next(210, 1), .next(225, 1), .next(240, 2), .completed(240)]) { source, scheduler in
            source.throttle(.seconds(15), scheduler: scheduler)
        },
        Rule("throttle(latest: false)", [.next(210, 1), .next(230, 2), .completed(240)]) { source, scheduler in
            source.throttle(.seconds(15), latest: false, scheduler: scheduler)
        },
        Rule("concat", [.next(210, 1), .next(220, 1), .next(230, 2), .next(250, 250)]) { source, scheduler in
            source.concat(ticks(scheduler, 225, 250))
        },
        Rule("concat of a sequence", [.next(210, 1), .next(220, 1), .next(230, 2), .next(240, 7), .completed(240)]) {
            source, _ in Infallible.concat(AnySequence([source, .just(7)]))
        },
        Rule("concat of a collection", [.next(210, 1), .next(220, 1), .next(230, 2), .next(240, 7), .completed(240)]) {
            source, _ in Infallible.concat([source, .just(7)])
        },
        Rule("concat of some", [.next(210, 1), .next(220, 1), .next(230, 2), .next(240, 7), .completed(240)]) {
            source, _ in Infallible.concat(source, .just(7))
        },
        Rule(
            "merge of a collection",
            [.next(210, 1), .next(215, 215), .next(220, 1), .next(230, 2)]
        ) { source, scheduler in Infallible.merge([source, ticks(scheduler, 215)].prefix(2)) },
        Rule("merge of an array", [.next(210, 1), .next(215, 215), .next(220, 1), .next(230, 2)]) {
            source, scheduler in Infallible.merge([source, ticks(scheduler, 215)])
        },
        Rule("merge of some", [.next(210, 1), .next(215, 215), .next(220, 1), .next(230, 2)]) {
            source, scheduler in Infallible.merge(source, ticks(scheduler, 215))
        },
        Rule("scan", [.next(210, 1), .next(220, 2), .next(230, 4), .completed(240)]) { source, _ in
            source.scan(0) { $0 + $1 }
        },
        Rule("scan(into:)", [.next(210, 1), .next(220, 2), .next(230, 4), .completed(240)]) { source, _ in
            source.scan(into: 0) { $0 += $1 }
        },
        Rule("startWith", [.next(200, 7), .next(210, 1), .next(220, 1), .next(230, 2), .completed(240)]) {
            source, _ in source.startWith(7)
        },
        Rule("take", [.next(210, 1), .next(220, 1), .completed(220)], left: 220) { source, _ in source.take(2) },
        Rule("take(for:)", [.next(210, 1), .completed(215)], left: 215) { source, scheduler in
            source.take(for: .seconds(15), scheduler: scheduler)
        },
        Rule("take(until: infallible)", [.next(210, 1), .completed(215)], left: 215) { source, scheduler in
            source.take(until: ticks(scheduler, 215))
        },
        Rule("take(until: observable)", [.next(210, 1), .completed(215)], left: 215) { source, scheduler in
            source.take(until: ticks(scheduler, 215).asObservable())
        },
        Rule("take(until: predicate)", [.next(210, 1), .next(220, 1), .completed(230)], left: 230) { source, _ in
            source.take(until: { $0 == 2 })
        },
        Rule("take(until: inclusive)", [.next(210, 1), .completed(210)], left: 210) { source, _ in
            source.take(until: { $0 == 1 }, behavior: .inclusive)
        },
        Rule("take(while:)", [.next(210, 1), .next(220, 1), .completed(230)], left: 230) { source, _ in
            source.take(while: { $0 == 1 })
        },
        Rule("take(while: inclusive)", [.next(210, 1), .completed(210)], left: 210) { source, _ in
            source.take(while: { $0 > 1 }, behavior: .inclusive)
        },
        Rule("skip", [.next(230, 2), .completed(240)]) { source, _ in source.skip(2) },
        Rule("skip(while:)", [.next(230, 2), .completed(240)]) { source, _ in source.skip(while: { $0 == 1 }) },
        Rule("skip(until:)", [.next(220, 1), .next(230, 2), .completed(240)]) { source, scheduler in
            source.skip(until: ticks(scheduler, 215))
        },
        Rule("share", source) { source, _ in source.share(replay: 1, scope: .forever) },
        Rule("withLatestFrom", [.next(220, 215), .next(230, 215), .completed(240)]) { source, scheduler in
            source.withLatestFrom(ticks(scheduler, 215))
        },
        Rule("withLatestFrom(resultSelector:)", [.next(220, 216), .next(230, 217), .completed(240)]) {
            source, scheduler in source.withLatestFrom(ticks(scheduler, 215)) { $0 + $1 }
        },
        Rule("do", source) { source, _ in source.do(onNext: { _ in }, onCompleted: {}) },
        Rule("debug", source) { source, _ in source.debug("an infallible", trimOutput: true) },
        Rule("combineLatest of a collection", [.next(215, 216), .next(220, 216), .next(230, 217)]) {
            source, scheduler in
            .combineLatest([source, ticks(scheduler, 215)]) { $0.reduce(0, +) }
        },
        Rule("combineLatest as arrays", [.next(215, 216), .next(220, 216), .next(230, 217)]) { source, scheduler in
            Infallible.combineLatest([source, ticks(scheduler, 215)]).map { $0.reduce(0, +) }
        },
        Rule("zip of a collection", [.next(215, 216), .next(225, 226)]) { source, scheduler in
            .zip([source, ticks(scheduler, 215, 225)]) { $0.reduce(0, +) }
        },
        Rule("zip as arrays", [.next(215, 216), .next(225, 226)]) { source, scheduler in
            Infallible.zip([source, ticks(scheduler, 215, 225)]).map { $0.reduce(0, +) }
        },
    ]

    @Test(arguments: rules) func operatorsFollowRules(rule: Rule) {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable(Self.source)
        let observer = scheduler.start {
            rule.operation(hot.asInfallible(onErrorJustReturn: 0), scheduler).asObservable()
        }
        #expect(observer.events == rule.result)
        #expect(hot.subscriptions == [Subscription(200, rule.left)])
    }

    @Test func releasedObjectEndsSequence() {
        final class Target: Sendable {}
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        var target: Target? = Target()
        if let target {
            let source = subject.asInfallible(onErrorJustReturn: 0)
            _ = source.withUnretained(target).subscribe(
                onNext: { log.append("pair \($0.1)") }, onCompleted: { log.append("no pairs") })
            _ = source.withUnretained(target, resultSelector: { _, value in value * 10 }).subscribe(
                onNext: { log.append("result \($0)") }, onCompleted: { log.append("no results") })
        }
        subject.onNext(1)
        target = nil
        subject.onNext(2)
        #expect(log.value == ["pair 1", "result 10", "no pairs", "no results"])
        #expect(!subject.hasObservers)
    }

    @Test func sideEffectsRunInOrder() {
        let log = Cell<[String]>([])
        _ = Infallible.just(1).do(
            onNext: { log.append("on \($0)") }, afterNext: { log.append("after \($0)") },
            onCompleted: { log.append("completed") }, afterCompleted: { log.append("after completed") },
            onSubscribe: { log.append("subscribe") }, onSubscribed: { log.append("subscribed") },
            onDispose: { log.append("dispose") }
        ).subscribe(onNext: { log.append("received \($0)") }, onCompleted: { log.append("received the end") })
        #expect(
            log.value == [
                "subscribe", "on 1", "received 1", "after 1", "completed", "received the end", "after completed",
                "subscribed",
                "dispose",
            ])
    }

    @Test func sharedInfallibleRunsOnce() {
        let runs = Cell(0)
        let source = Infallible<Int>.create { observer in
            runs.update { $0 += 1 }
            observer(.next(1))
            return Disposables.create()
        }.share(replay: 1)
        let log = Cell<[Int]>([])
        let first = source.subscribe(onNext: { log.append($0) })
        let second = source.subscribe(onNext: { log.append($0) })
        #expect(log.value == [1, 1])
        #expect(runs.value == 1)
        first.dispose()
        second.dispose()
    }
}
