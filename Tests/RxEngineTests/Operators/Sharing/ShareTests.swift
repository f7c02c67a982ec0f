import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Two subscribers, at 200 and 245, of a source that emits 1 to 4 from 210 on, every 20, and may then end.
struct ShareRule: Sendable, CustomTestStringConvertible {
    var replay: Int
    var scope = SubjectLifetimeScope.whileConnected
    var end: Event<Int>?
    /// What the second subscriber receives.
    var second: [Recorded<Event<Int>>]

    var testDescription: String { "replay \(replay) \(scope), end \(String(describing: end))" }
}

@Suite(.balanced) struct ShareTests {
    typealias Events = [Recorded<Event<Int>>]

    static let cases: [ShareRule] = [
        ShareRule(replay: 0, end: .completed, second: [.next(250, 3), .next(270, 4), .completed(290)]),
        ShareRule(replay: 1, end: .completed, second: [.next(245, 2), .next(250, 3), .next(270, 4), .completed(290)]),
        ShareRule(
            replay: 2, end: .error(TestError()),
            second: [.next(245, 1), .next(245, 2), .next(250, 3), .next(270, 4), .error(290, TestError())]),
        ShareRule(
            replay: 9, scope: .forever,
            second: [.next(245, 1), .next(245, 2), .next(250, 3), .next(270, 4)]),
    ]

    @Test(arguments: cases) func newSubscriberFirstReceivesReplay(_ rule: ShareRule) {
        let scheduler = TestScheduler(initialClock: 0)
        var events: Events = [.next(210, 1), .next(230, 2), .next(250, 3), .next(270, 4)]
        if let end = rule.end { events.append(Recorded(time: 290, value: end)) }
        let hot = scheduler.createHotObservable(events)
        let shared = hot.share(replay: rule.replay, scope: rule.scope)
        let observers = [scheduler.createObserver(Int.self), scheduler.createObserver(Int.self)]
        let bag = SerialDisposable()
        let group = CompositeDisposable()
        bag.disposable = group
        scheduler.scheduleAt(200) { _ = group.insert(shared.subscribe(observers[0])) }
        scheduler.scheduleAt(245) { _ = group.insert(shared.subscribe(observers[1])) }
        scheduler.scheduleAt(1000) { bag.dispose() }
        scheduler.start()
        #expect(observers[0].events == events)
        #expect(observers[1].events == rule.second)
        #expect(hot.subscriptions == [Subscription(200, rule.end == nil ? 1000 : 290)])
    }

    /// What a third subscriber receives after the source has ended, and how often the source was run by then.
    static let endings: [(replay: Int, scope: SubjectLifetimeScope, seen: [Event<Int>], runs: Int)] = [
        (0, .whileConnected, [.next(1), .next(2), .completed], 2),
        (1, .whileConnected, [.next(1), .next(2), .completed], 2),
        (0, .forever, [.completed], 1),
        (1, .forever, [.next(2), .completed], 1),
        (5, .forever, [.next(1), .next(2), .completed], 1),
    ]

    @Test(arguments: endings)
    func subscribingAfterEnd(replay: Int, scope: SubjectLifetimeScope, seen: [Event<Int>], runs: Int) {
        let count = Cell(0)
        let shared = Observable<Int>.create { observer in
            count.update { $0 += 1 }
            observer.onNext(1)
            observer.onNext(2)
            observer.onCompleted()
            return Disposables.create()
        }.share(replay: replay, scope: scope)
        let first = Cell<[Event<Int>]>([])
        let second = Cell<[Event<Int>]>([])
        _ = shared.subscribe { first.append($0) }
        _ = shared.subscribe { second.append($0) }
        #expect(first.value == [.next(1), .next(2), .completed])
        #expect(second.value == seen)
        #expect(count.value == runs)
    }

    /// A run that is over and that its source still retains emits nothing to the subscribers of the next run, which
    /// share its replay buffer.
    @Test(arguments: [SubjectLifetimeScope.forever, .whileConnected])
    func lateReleaseOfRunKeepsSubscribersOfNextRun(scope: SubjectLifetimeScope) {
        let runs = Cell<[AnyObserver<Int>]>([])
        let shared = Observable<Int>.create { observer in
            runs.append(observer)
            return Disposables.create()
        }.share(replay: 1, scope: scope)
        shared.subscribe().dispose()
        let seen = Cell<[Int]>([])
        let subscription = shared.subscribe(onNext: { number in seen.append(number) })
        #expect(runs.value.count == 2)
        let last = runs.value[1]
        runs.update { $0 = [] }
        last.onNext(5)
        #expect(seen.value == [5])
        subscription.dispose()
    }

    /// The replayed elements when a subscriber follows after all others have unsubscribed.
    static let scopes: [(SubjectLifetimeScope, [Int])] = [(.whileConnected, [3]), (.forever, [2, 3])]

    @Test(arguments: scopes) func replayAfterAllUnsubscribed(scope: SubjectLifetimeScope, seen: [Int]) {
        let subject = PublishSubject<Int>()
        let runs = Cell(0)
        let shared = Observable<Int>.create { observer in
            runs.update { $0 += 1 }
            return subject.subscribe(observer)
        }.share(replay: 1, scope: scope)
        let first = shared.subscribe(onNext: { _ in })
        subject.onNext(1)
        subject.onNext(2)
        first.dispose()
        #expect(!subject.hasObservers)
        let log = Cell<[Int]>([])
        let second = shared.subscribe(onNext: { log.append($0) })
        subject.onNext(3)
        #expect(log.value == seen)
        #expect(runs.value == 2)
        second.dispose()
        #expect(!subject.hasObservers)
    }

    @Test func sourceStopsWithLastSubscriber() {
        let subject = PublishSubject<Int>()
        let shared = subject.map { $0 }.share(replay: 1)
        let first = shared.subscribe()
        let second = shared.subscribe()
        first.dispose()
        first.dispose()
        #expect(subject.hasObservers)
        second.dispose()
        #expect(!subject.hasObservers)
    }

    /// A client's operator that disposes its source twice.
    private final class DisposingTwice: Observable<Int>, @unchecked Sendable {
        private let source: Observable<Int>

        init(_ source: Observable<Int>) {
            self.source = source
            super.init()
        }

        override func run(_ sink: Sink<Int>) -> any Disposable {
            let subscription = source.run(sink)
            return Disposables.create {
                subscription.dispose()
                subscription.dispose()
            }
        }
    }

    @Test(arguments: [0, 1], [SubjectLifetimeScope.whileConnected, .forever])
    func subscriberThatIsDisposedTwiceIsCountedOnce(replay: Int, scope: SubjectLifetimeScope) {
        let subject = PublishSubject<Int>()
        let shared = subject.share(replay: replay, scope: scope)
        let (first, second) = (DisposingTwice(shared).subscribe(), shared.subscribe())
        first.dispose()
        #expect(subject.hasObservers)
        second.dispose()
        #expect(!subject.hasObservers)
    }

    @Test func resubscribingInsideEndStartsNewRun() {
        let log = Cell<[Event<Int>]>([])
        let runs = Cell(0)
        let shared = Observable<Int>.create { observer in
            runs.update { $0 += 1 }
            observer.onNext(runs.value)
            observer.onCompleted()
            return Disposables.create()
        }.share(replay: 1)
        _ = shared.subscribe(onCompleted: {
            guard runs.value < 2 else { return }
            _ = shared.subscribe { log.append($0) }
        })
        #expect(log.value == [.next(2), .completed])
    }

    @Test func subscriberThatEndsInReplayStartsNoRun() {
        let runs = Cell(0)
        let subject = PublishSubject<Int>()
        let shared = Observable<Int>.create { observer in
            runs.update { $0 += 1 }
            return subject.subscribe(observer)
        }.share(replay: 1, scope: .forever)
        let first = shared.subscribe()
        subject.onNext(1)
        first.dispose()
        // Its first element, the replayed one, ends it.
        _ = shared.map { _ in throw TestError() }.subscribe(onNext: {}, onError: { _ in })
        #expect(runs.value == 1)
        #expect(!subject.hasObservers)
    }

    static let shares: [(name: String, apply: @Sendable (Observable<Int>) -> Observable<Int>)] = [
        ("share", { $0.share() }), ("share(replay:)", { $0.share(replay: 2) }),
        ("share(scope: .forever)", { $0.share(replay: 1, scope: .forever) }),
        ("publish", { $0.publish().refCount() }),
        ("multicast", { $0.multicast { PublishSubject<Int>() }.refCount() }),
        ("multicast(selector:)", { $0.multicast({ PublishSubject<Int>() }) { $0 } }),
        ("subscribe(on:)", { $0.subscribe(on: CurrentThreadScheduler.instance) }),
    ]

    /// The only subscriber unsubscribes before the start of the endless run has returned, which it otherwise never
    /// would.
    @Test(arguments: shares.indices) func endlessRunIsStoppedInsideItsStart(_ index: Int) {
        let rule = Self.shares[index]
        let endless = Observable.concat(.just(1), .error(TestError())).retry()
        #expect(emitted(by: rule.apply(endless).take(3)) == [.next(1), .next(1), .next(1), .completed], "\(rule.name)")
    }

    @Test func elementsDuringReplayAreDeliveredAfterwards() {
        let log = Cell<[Int]>([])
        let subject = PublishSubject<Int>()
        let shared = subject.share(replay: 3)
        let first = shared.subscribe()
        for value in 1...3 { subject.onNext(value) }
        let second = shared.subscribe(onNext: { value in
            log.append(value)
            // Emits two more in the middle of the replay.
            if value == 1 { (4...5).forEach(subject.onNext) }
        })
        subject.onNext(6)
        #expect(log.value == [1, 2, 3, 4, 5, 6])
        first.dispose()
        second.dispose()
    }

    @Test func endDuringReplayIsDeliveredAfterwards() {
        let log = Cell<[Event<Int>]>([])
        let subject = PublishSubject<Int>()
        let shared = subject.share(replay: 2)
        _ = shared.subscribe()
        subject.onNext(1)
        subject.onNext(2)
        _ = shared.subscribe { event in
            log.append(event)
            if event == .next(1) { subject.onCompleted() }
        }
        #expect(log.value == [.next(1), .next(2), .completed])
    }

    @Test func subscribersReceiveInSubscriptionOrder() {
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let shared = subject.share(replay: 1)
        let first = shared.subscribe(onNext: { _ in })
        subject.onNext(0)
        // The third subscribes, and has received its replay, while the second still receives its own.
        let third = SerialDisposable()
        let second = shared.subscribe(onNext: { value in
            if value == 0 { third.disposable = shared.subscribe(onNext: { log.append("third \($0)") }) }
            log.append("second \(value)")
        })
        subject.onNext(1)
        #expect(log.value == ["third 0", "second 0", "second 1", "third 1"])
        [first, second, third].forEach { $0.dispose() }
        #expect(!subject.hasObservers)
    }

    /// An element that uses its source when it is released.
    private final class ReentrantElement: Sendable {
        let subject: Cell<PublishSubject<ReentrantElement>?>

        init(_ subject: Cell<PublishSubject<ReentrantElement>?>) {
            self.subject = subject
        }

        deinit {
            subject.value?.asObservable().share(replay: 1).subscribe().dispose()
        }
    }

    @Test func elementsAreReleasedOutsideLock() {
        let subject = PublishSubject<ReentrantElement>()
        let box = Cell<PublishSubject<ReentrantElement>?>(subject)
        let subscription = subject.share(replay: 2).subscribe()
        for _ in 0..<5 { subject.onNext(ReentrantElement(box)) }
        subscription.dispose()
        #expect(!subject.hasObservers)
        box.update { $0 = nil }
    }

    @Test func nestedSharesDoNotDeadlock() async throws {
        // During its replay a subscriber subscribes to the other share, from two threads at once.
        let subject = PublishSubject<Int>()
        let one = subject.share(replay: 1)
        let two = one.map { $0 }.share(replay: 1)
        let keep = [one.subscribe(), two.subscribe()]
        subject.onNext(0)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for value in 1...500 { subject.onNext(value) } }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<200 {
                        let inner = SerialDisposable()
                        let outer = two.subscribe(onNext: { _ in inner.disposable = one.subscribe() })
                        outer.dispose()
                        inner.dispose()
                    }
                }
            }
        }
        keep.forEach { $0.dispose() }
        #expect(!subject.hasObservers)
    }

    static let lasting: [(name: String, share: @Sendable (Observable<Int>) -> Observable<Int>)] = [
        ("share(scope: .forever)", { $0.share(scope: .forever) }),
        ("share(replay: 1, scope: .forever)", { $0.share(replay: 1, scope: .forever) }),
        ("share(replay: 9, scope: .forever)", { $0.share(replay: 9, scope: .forever) }),
        ("multicast(PublishSubject()).refCount()", { $0.multicast(PublishSubject()).refCount() }),
        ("multicast(ReplaySubject).refCount()", { $0.multicast(ReplaySubject.createUnbounded()).refCount() }),
    ]

    /// The subject that the runs share has ended with the first run: there is no second run, and nothing follows the
    /// end.
    @Test(arguments: lasting.indices) func concurrentSubscribersStartSynchronousSourceOnce(_ index: Int) {
        let (name, share) = Self.lasting[index]
        for _ in 0..<300 {
            let runs = Cell(0)
            let source = Observable<Int>.create { observer in
                runs.update { $0 += 1 }
                for element in 0..<3 { observer.onNext(element) }
                observer.onCompleted()
                return Disposables.create()
            }
            let shared = share(source)
            let logs = (0..<4).map { _ in Cell<[Event<Int>]>([]) }
            inParallel(4) { number in _ = shared.subscribe { logs[number].append($0) } }
            #expect(runs.value == 1, "\(name)")
            for log in logs {
                let elements = log.value.compactMap(\.element)
                #expect(log.value.last == .completed && elements.count == log.value.count - 1, "\(name): \(log.value)")
                #expect(elements == Array(0..<3).suffix(elements.count), "\(name): \(log.value)")
            }
        }
    }

    /// The runs share the subscriber list, so none starts between the end of the first one and the closing of the list.
    @Test func completionOfForeverShareStartsNoSecondRun() {
        for _ in 0..<500 {
            let runs = Cell(0)
            let subject = PublishSubject<Int>()
            let shared = Observable<Int>.create { observer in
                runs.update { $0 += 1 }
                return subject.subscribe(observer)
            }.share(replay: 1, scope: .forever)
            let first = shared.subscribe()
            inParallel(2) { number in
                if number == 0 { return subject.onCompleted() }
                for _ in 0..<20 { shared.subscribe().dispose() }
            }
            first.dispose()
            #expect(runs.value == 1)
        }
    }

    @Test func concurrentSubscribersShareOneRun() async {
        for _ in 0..<200 {
            let runs = Cell(0)
            let subject = PublishSubject<Int>()
            let shared = Observable<Int>.create { observer in
                runs.update { $0 += 1 }
                return subject.subscribe(observer)
            }.share(replay: 1)
            let subscriptions = CompositeDisposable()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { _ = subscriptions.insert(shared.subscribe()) } }
            }
            #expect(runs.value == 1)
            subscriptions.dispose()
            #expect(!subject.hasObservers)
        }
    }

    @Test func negativeReplayTraps() async {
        await #expect(processExitsWith: .failure) {
            _ = Observable.just(1).share(replay: -1)
        }
    }
}
