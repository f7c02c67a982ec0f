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
        let subscriptions = [
            add("timer", timer(0.1, scheduler)), add("ticks", timer(0.1, 0.2, scheduler).take(2)),
            add("delay", just(1).delay(0.2, scheduler: scheduler)),
            add("debounce", just(2).concat(never()).debounce(0.4, scheduler: scheduler)),
            add("timeout", (never() as Observable<Int>).timeout(0.5, scheduler: scheduler)),
            add("take", (never() as Observable<Int>).take(0.1, scheduler: scheduler)),
            add("interval", Observable<Int>.interval(0.3, scheduler: scheduler).take(1)),
        ]
        scheduler.advanceTo(start.addingTimeInterval(1))
        for subscription in subscriptions { subscription.dispose() }
        #expect(
            log.value.sorted() == [
                "debounce 2 at 4", "delay 1 at 2", "interval 0 at 3", "ticks 0 at 1", "ticks 1 at 3",
                "timeout no element came in time", "timer 0 at 1",
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
}
