import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct GroupByTests {
    /// Groups by the last digit, and emits `key: element` for each element, and a line for each group that starts or
    /// ends.
    private static func transcript(of source: Observable<Int>) -> Observable<String> {
        source.groupBy {
            if $0 < 0 { throw TestError("negative") }
            return $0 % 10
        }.flatMap { group in
            group.materialize().map { "\(group.key): \($0)" }.startWith("\(group.key)")
        }
    }

    static let rules: [Rule<Int, String>] = [
        .init("never", transcript, of: [], is: [], left: 1000),
        .init("empty", transcript, of: [.completed(210)], is: [.completed(210)], left: 210),
        .init(
            "by key", transcript,
            of: [.next(210, 1), .next(220, 2), .next(230, 11), .next(240, 22), .completed(250)],
            is: [
                .next(210, "1"), .next(210, "1: next(1)"), .next(220, "2"), .next(220, "2: next(2)"),
                .next(230, "1: next(11)"), .next(240, "2: next(22)"),
                .next(250, "1: completed"), .next(250, "2: completed"), .completed(250),
            ], left: 250),
        .init(
            "an error is delivered to the groups first", transcript, of: [.next(210, 1), .error(250, TestError())],
            is: [
                .next(210, "1"), .next(210, "1: next(1)"),
                .next(250, "1: error(test error)"), .error(250, TestError()),
            ], left: 250),
        .init(
            "a throwing closure", transcript, of: [.next(210, 1), .next(220, -1), .next(230, 2)],
            is: [
                .next(210, "1"), .next(210, "1: next(1)"),
                .next(220, "1: error(negative)"), .error(220, TestError("negative")),
            ], left: 220),
    ]

    @Test(arguments: rules) func rule(_ rule: Rule<Int, String>) {
        rule.check()
    }

    /// Stores the groups of a run, to be subscribed to later.
    private final class StoredGroups: Sendable {
        let groups = Cell<[GroupedObservable<Int, Int>]>([])
        let isOver = Cell(false)
    }

    @Test func lateSubscribersMissEarlierElements() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(230, 11), .completed(250)])
        let kept = StoredGroups()
        let early = scheduler.createObserver(Int.self)
        let late = scheduler.createObserver(Int.self)
        scheduler.scheduleAt(200) {
            _ = hot.asObservable().groupBy { $0 % 10 }.subscribe(onNext: { kept.groups.append($0) })
        }
        scheduler.scheduleAt(225) { _ = kept.groups.value[0].subscribe(early) }
        scheduler.scheduleAt(300) { _ = kept.groups.value[0].subscribe(late) }
        scheduler.start()
        #expect(kept.groups.value.map(\.key) == [1, 2])
        #expect(early.events == [.next(230, 11), .completed(250)])
        #expect(late.events == [.completed(300)])
        kept.groups.update { $0 = [] }
    }

    @Test func subscribedGroupKeepsSourceRunning() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable((21...40).map { .next(10 * $0, $0 % 3) })
        let kept = StoredGroups()
        let group = scheduler.createObserver(Int.self)
        let outer = SerialDisposable()
        let inner = SerialDisposable()
        scheduler.scheduleAt(205) {
            outer.disposable = hot.asObservable().groupBy { $0 }.subscribe(onNext: { kept.groups.append($0) })
        }
        scheduler.scheduleAt(225) { inner.disposable = kept.groups.value[0].subscribe(group) }
        scheduler.scheduleAt(235) { outer.dispose() }
        scheduler.scheduleAt(295) { inner.dispose() }
        scheduler.start()
        #expect(kept.groups.value.map(\.key) == [0, 1, 2])
        #expect(group.events == [.next(240, 0), .next(270, 0)])
        #expect(hot.subscriptions == [Subscription(205, 295)])
        kept.groups.update { $0 = [] }
    }

    @Test func disposeWithoutGroupsUnsubscribesFromSource() {
        let subject = PublishSubject<Int>()
        subject.groupBy { $0 }.subscribe(onNext: { _ in }).dispose()
        #expect(!subject.hasObservers)
    }

    @Test func disposingInsideSelectorDropsElement() {
        let log = Cell<[Int]>([])
        let handle = SerialDisposable()
        let subject = PublishSubject<Int>()
        handle.disposable = subject.groupBy { value -> Int in
            if value == 2 { handle.dispose() }
            return value
        }.flatMap { $0 }.subscribe(onNext: { log.append($0) })
        for value in 1...3 { subject.onNext(value) }
        #expect(log.value == [1])
    }

    /// Once the sequence of groups is disposed, an element costs the same however many groups there are: if every group
    /// were visited, this would take minutes.
    @Test func elementCostIsConstantAfterGroupSequenceIsDisposed() {
        let subject = PublishSubject<Int>()
        let log = Cell(0)
        let groups = SingleAssignmentDisposable()
        let inner = SerialDisposable()
        groups.setDisposable(
            subject.groupBy { $0 }.subscribe(onNext: { group in
                if group.key == 19_999 {
                    inner.disposable = group.subscribe(onNext: { _ in log.update { $0 += 1 } })
                }
            }))
        for key in 0..<20_000 { subject.onNext(key) }
        groups.dispose()
        for _ in 0..<50_000 { subject.onNext(19_999) }
        #expect(log.value == 50_001)
        inner.dispose()
        #expect(!subject.hasObservers)
    }
}
