import RxEngine
import RxEngineLegacy
import RxEngineTest
import TestSupport
import Testing

/// Each former name does what the current one does.
@Suite(.balanced) struct NamesTests {
    private static func events<Element>(of source: Observable<Element>) -> [String] {
        let log = Cell<[String]>([])
        source.subscribe(
            next: { log.append("\($0)") }, error: { log.append("error \($0)") }, completed: { log.append("|") },
            disposed: { log.append("disposed") }
        ).dispose()
        return log.value
    }

    @Test func functionsMakeSequences() {
        #expect(Self.events(of: just(1)) == ["1", "|", "disposed"])
        #expect(Self.events(of: empty() as Observable<Int>) == ["|", "disposed"])
        #expect(Self.events(of: never() as Observable<Int>) == ["disposed"])
        #expect(Self.events(of: failWith(TestError("x")) as Observable<Int>) == ["error x", "disposed"])
        #expect(Self.events(of: deferred { just(2) }) == ["2", "|", "disposed"])
        #expect(Self.events(of: sequenceOf(1, 2)) == ["1", "2", "|", "disposed"])
        #expect(Self.events(of: range(start: 3, count: 2)) == ["3", "4", "|", "disposed"])
        #expect(Self.events(of: repeatElement(5).take(2)) == ["5", "5", "|", "disposed"])
        #expect(
            Self.events(of: generate(initialState: 1, condition: { $0 < 9 }, iterate: { $0 * 3 }))
                == ["1", "3", "|", "disposed"])
        #expect(Self.events(of: Observable.from(Optional(1))) == ["1", "|", "disposed"])
        #expect(Self.events(of: Observable<Int>.from(Optional<Int>.none)) == ["|", "disposed"])
    }

    @Test func singleEventSubscribersReceiveTheirEvent() {
        let log = Cell<[String]>([])
        just(1).subscribeCompleted { log.append("completed") }
        (failWith(TestError("x")) as Observable<Int>).subscribeError { log.append("\($0)") }
        #expect(log.value == ["completed", "x"])
    }

    @Test func indexedOperatorsPassIndices() {
        let source = sequenceOf(10, 20, 30)
        #expect(Self.events(of: source.mapWithIndex { $0 + $1 }) == ["10", "21", "32", "|", "disposed"])
        #expect(Self.events(of: source.flatMapWithIndex { just($0 * $1) }) == ["0", "20", "60", "|", "disposed"])
        #expect(Self.events(of: source.takeWhileWithIndex { $1 < 2 }) == ["10", "20", "|", "disposed"])
        #expect(Self.events(of: source.skipWhileWithIndex { $1 < 2 }) == ["30", "|", "disposed"])
    }

    @Test func closuresOfDoOnAreCalled() {
        let log = Cell<[String]>([])
        let source = sequenceOf(1).doOn(next: { log.append("\($0)") }, completed: { log.append("|") })
        #expect(Self.events(of: source) == ["1", "|", "disposed"] && log.value == ["1", "|"])
    }

    @Test func spansAreInSeconds() {
        let scheduler = HistoricalScheduler()
        let log = Cell<[String]>([])
        let start = scheduler.now
        func add(_ name: String, _ source: Observable<some Sendable>) -> any Disposable {
            source.subscribe(
                next: {
                    log.append("\(name) \($0) at \(Int((scheduler.now.timeIntervalSince(start) * 10).rounded()))")
                },
                error: { log.append("\(name) \($0)") })
        }
        // 0 at 2, 1 at 4, 2 at 6, 3 at 8.
        let ticks = Observable<Int>.interval(0.2, scheduler: scheduler).take(4)
        let subscriptions = [
            add("timer", timer(0.1, scheduler)), add("ticks", timer(0.1, 0.2, scheduler).take(2)),
            add("delay", just(1).delay(0.2, scheduler: scheduler)),
            add("debounce", just(2).concat(never()).debounce(0.4, scheduler: scheduler)),
            add("timeout", (never() as Observable<Int>).timeout(0.5, scheduler: scheduler)),
            add(
                "replaced",
                (never() as Observable<Int>).timeout(0.7, other: Observable.just(5), scheduler: scheduler)),
            add("take", (never() as Observable<Int>).take(0.1, scheduler: scheduler)),
            add("interval", Observable<Int>.interval(0.3, scheduler: scheduler).take(1)),
            add("free interval", interval(0.3, scheduler).take(1)),
            add("timer(_:period:)", Observable<Int>.timer(0.2, period: 0.3, scheduler: scheduler).take(2)),
            add("quiet", just(3).concat(never()).throttle(0.4, scheduler)),
            add("throttle", ticks.throttle(0.5, scheduler: scheduler)),
            add("first only", ticks.throttle(0.5, latest: false, scheduler: scheduler)),
            add("delaySubscription", just(4).delaySubscription(0.6, scheduler: scheduler)),
            add("skip", ticks.skip(0.5, scheduler: scheduler)),
            add("buffer", ticks.buffer(timeSpan: 0.5, count: 9, scheduler: scheduler)),
            add("window", ticks.window(timeSpan: 0.5, count: 9, scheduler: scheduler).flatMap { $0.toArray() }),
        ]
        scheduler.advanceTo(start.addingTimeInterval(1))
        for subscription in subscriptions { subscription.dispose() }
        #expect(
            log.value.sorted() == [
                "buffer [0, 1] at 5", "buffer [2, 3] at 8", "debounce 2 at 4", "delay 1 at 2",
                "delaySubscription 4 at 6",
                "first only 0 at 2", "first only 3 at 8", "free interval 0 at 3", "interval 0 at 3", "quiet 3 at 4",
                "replaced 5 at 7", "skip 2 at 6", "skip 3 at 8", "throttle 0 at 2", "throttle 2 at 7", "ticks 0 at 1",
                "ticks 1 at 3",
                "timeout no element came in time", "timer 0 at 1", "timer(_:period:) 0 at 2", "timer(_:period:) 1 at 5",
                "window [0, 1] at 5", "window [2, 3] at 8",
            ])
    }

    @Test func disposablesHaveTheirFormerNames() {
        let log = Cell<[String]>([])
        let one = AnonymousDisposable { log.append("one") }
        #expect(!one.disposed)
        let group = CompositeDisposable()
        let key = group.addDisposable(one)
        if let key { group.removeDisposable(key) }
        #expect(one.disposed && log.value == ["one"])
        do {
            let bag = DisposeBag()
            bag.addDisposable(AnonymousDisposable { log.append("two") })
            withExtendedLifetime(bag) {}
        }
        group.dispose()
        #expect(group.disposed && log.value == ["one", "two"])
    }

    @Test func completablesMerge() {
        let log = Cell<[String]>([])
        let merged = Completable.merge(.empty(), .empty())
        merged.subscribe(onCompleted: { log.append("|") }).dispose()
        Single.just(1).do(onNext: { log.append("\($0)") }).subscribe().dispose()
        #expect(log.value == ["|", "1"])
    }

    @Test func sharedSequenceKeepsItsElementsAfterItsEnd() {
        let source = sequenceOf(1, 2, 3)
        let forever = source.shareReplay(2)
        for _ in 1...2 {
            #expect(Self.events(of: forever).suffix(4) == ["2", "3", "|", "disposed"])
        }
        #expect(Self.events(of: source.shareReplayLatestWhileConnected()) == ["1", "2", "3", "|", "disposed"])
    }

    @Test func variableIsBound() {
        let variable = Variable(0)
        sequenceOf(1, 2).bindTo(variable).dispose()
        #expect(variable.value == 2)
    }

    @Test @MainActor func driverSetsVariable() {
        let (variable, relay) = (Variable(0), BehaviorRelay(value: 1))
        let subscription = relay.asDriver().drive(variable)
        #expect(variable.value == 1)
        relay.accept(2)
        #expect(variable.value == 2)
        subscription.dispose()
        relay.accept(3)
        #expect(variable.value == 2)
    }

    @Test func samplerRepeatsLatestElement() {
        let (source, sampler) = (PublishSubject<Int>(), PublishSubject<Void>())
        let log = Cell<[String]>([])
        let subscription = source.sampleLatest(sampler).subscribe(
            next: { log.append("\($0)") }, completed: { log.append("|") })
        sampler.on(.Next(()))
        source.on(.Next(1))
        source.on(.Next(2))
        for _ in 1...2 { sampler.on(.Next(())) }
        source.on(.Next(3))
        sampler.on(.Next(()))
        sampler.on(.Completed)
        #expect(log.value == ["2", "2", "3", "|"])
        subscription.dispose()
    }

    @Test func observerOfForwardsEvents() {
        let log = Cell<[String]>([])
        let observer: ObserverOf<Int> = ObserverOf { (event: Event<Int>) in log.append("\(event)") }
        sequenceOf(1, 2).subscribe(observer).dispose()
        #expect(log.value == ["next(1)", "next(2)", "completed"])
    }

    @Test func mainSchedulerHasItsFormerName() {
        #expect(MainScheduler.sharedInstance === MainScheduler.instance)
    }

    @Test func elementTypeHasItsFormerName() {
        func first<Source: ObservableType>(_ source: Source) -> Observable<Source.E> { source.asObservable().take(1) }
        func send<Observer: ObserverType>(_ element: Observer.E, _ observer: Observer) { observer.onNext(element) }
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let subscription = first(subject).subscribeNext { log.append("\($0)") }
        let element: PublishSubject<Int>.E = 1
        send(element, subject)
        subscription.dispose()
        #expect(log.value == ["1"])
        #expect(Single<String>.E.self == String.self)
    }
}
