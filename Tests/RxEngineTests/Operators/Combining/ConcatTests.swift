import Dispatch
import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct ConcatTests {
    typealias Events = [Recorded<Event<Int>>]

    static let table: [(name: String, first: Events, second: Events, result: Events, left: Int, then: [Subscription])] =
        [
            (
                "both", [.next(10, 1), .next(20, 2), .completed(30)], [.next(10, 8), .completed(20)],
                [.next(210, 1), .next(220, 2), .next(240, 8), .completed(250)], 230, [Subscription(230, 250)]
            ),
            (
                "the first fails", [.next(10, 1), .error(30, TestError())], [.next(10, 8)],
                [.next(210, 1), .error(230, TestError())], 230, []
            ),
            (
                "the second fails", [.completed(30)], [.next(10, 8), .error(20, TestError())],
                [.next(240, 8), .error(250, TestError())], 230, [Subscription(230, 250)]
            ),
            ("the first never ends", [.next(10, 1)], [.next(10, 8)], [.next(210, 1)], 1000, []),
            ("the second never ends", [.completed(10)], [], [], 210, [Subscription(210, 1000)]),
        ]

    @Test(arguments: table)
    func rules(
        name: String, first: Events, second: Events, result: Events, left: Int, then: [Subscription]
    ) {
        let spellings: [@Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>] = [
            { $0.concat($1) }, { .concat($0, $1) }, { .concat([$0, $1]) }, { .concat(AnySequence([$0, $1])) },
            { .concat(AnyCollection([$0, $1])) }, { .concat(.empty(), .concat($0.concat(Observable.empty())), $1) },
            { first, second in .deferred { .concat(.deferred { first.concat(Observable.empty()) }, second) } },
        ]
        for concat in spellings {
            let scheduler = TestScheduler(initialClock: 0)
            let (one, two) = (scheduler.createColdObservable(first), scheduler.createColdObservable(second))
            let observer = scheduler.start { concat(one.asObservable(), two.asObservable()) }
            #expect(observer.events == result)
            #expect(one.subscriptions == [Subscription(200, left)])
            #expect(two.subscriptions == then)
        }
    }

    private func events(_ source: Observable<Int>) -> [Event<Int>] {
        let log = Cell<[Event<Int>]>([])
        _ = source.subscribe { log.append($0) }
        return log.value
    }

    @Test func concatOfNoneCompletes() {
        #expect(events(.concat()) == [.completed])
        #expect(events(.concat([])) == [.completed])
        #expect(events(.concat(EmptyCollection())) == [.completed])
    }

    @Test func sequenceOfSourcesIsPulledLazily() {
        let pulled = Cell(0)
        let sources = sequence(first: 1) { $0 + 1 }.lazy.map { number in
            pulled.update { $0 += 1 }
            return Observable.just(number)
        }
        #expect(events(Observable.concat(sources).take(3)) == [.next(1), .next(2), .next(3), .completed])
        #expect(pulled.value == 3)
        let collection = (1...5).lazy.map { number in
            pulled.update { $0 += 1 }
            return number == 2 ? .error(TestError()) : Observable.just(number)
        }
        #expect(events(.concat(collection)) == [.next(1), .error(TestError())])
        #expect(pulled.value == 5)
    }

    /// The first source is released before the second is started, and what retains a nested run is released when that
    /// run has ended.
    @Test func sourcesAndNestedRunsAreReleasedInOrder() {
        let log = Cell<[String]>([])
        @Sendable func noting(_ name: String) -> Observable<Int> {
            .create { observer in
                log.append("+\(name)")
                observer.onCompleted()
                return Disposables.create { log.append("-\(name)") }
            }
        }
        let nested = ForwardingSource(noting("b").concat(noting("c"))) { log.append("-nest") }
        _ = noting("a").concat(nested).concat(noting("d")).subscribe(onCompleted: { log.append("end") })
        #expect(log.value == ["+a", "-a", "+b", "-b", "+c", "-c", "-nest", "+d", "end", "-d"])
        log.update { $0 = [] }
        _ = noting("a").concat(nested).subscribe(onCompleted: { log.append("end") })
        #expect(log.value == ["+a", "-a", "+b", "-b", "+c", "end", "-c", "-nest"])
        log.update { $0 = [] }
        ForwardingSource(Observable<Int>.never().concat(noting("c"))) { log.append("-nest") }.concat(noting("d"))
            .subscribe().dispose()
        #expect(log.value == ["-nest"])
        log.update { $0 = [] }
        _ = ForwardingSource(.concat([noting("b")])) { log.append("-nest") }.concat(noting("d")).subscribe()
        #expect(log.value == ["+b", "-b", "-nest", "+d", "-d"])
    }

    /// An operator that passes its sink to its source and has something to release at the end.
    private final class ForwardingSource: Observable<Int>, @unchecked Sendable {
        private let source: Observable<Int>
        private let onEnd: @Sendable () -> Void

        init(_ source: Observable<Int>, onEnd: @escaping @Sendable () -> Void) {
            self.source = source
            self.onEnd = onEnd
            super.init()
        }

        override func run(_ sink: Sink<Int>) -> any Disposable {
            Disposables.create(source.run(sink), Disposables.create(with: onEnd))
        }
    }

    @Test func disposingFromObserverStartsNoNextSource() {
        let log = Cell<[Int]>([])
        let handle = SerialDisposable()
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        handle.disposable = first.concat(second).subscribe(onNext: { value in
            log.append(value)
            if value == 3 { handle.dispose() }
        })
        first.onNext(1)
        second.onNext(9)
        first.onCompleted()
        #expect(!first.hasObservers)
        (2...4).forEach(second.onNext)
        #expect(log.value == [1, 2, 3])
        #expect(!second.hasObservers)
    }

    @Test func endlessSourceIsStoppedFromDownstream() {
        #expect(events(Observable.just(9).concat(Endless()).take(3)) == [.next(9), .next(0), .next(1), .completed])
    }

    /// A client's operator that acts after subscribing to its source relies on the source having run.
    @Test(arguments: [false, true]) func codeAfterSubscribingRunsAfterSource(isNested: Bool) {
        let subject = PublishSubject<Int>()
        let source = Observable<Int>.source { sink in
            let running = subject.concat(Observable.just(9)).run(sink)
            subject.onNext(1)
            subject.onCompleted()
            return running
        }
        let events = isNested ? emitted(by: source.retry(1)) : emitted(by: source)
        #expect(events == [.next(1), .next(9), .completed])
    }

    @Test func multicastSelectorInNestedRun() {
        let shared = Observable.of(1, 2).multicast({ PublishSubject<Int>() }) { $0.concat(Observable.just(9)) }
        let result: [Event<Int>] = [.next(1), .next(2), .next(9), .completed]
        #expect(emitted(by: shared) == result)
        #expect(emitted(by: shared.retry(2)) == result)
        #expect(emitted(by: shared.catch { _ in .empty() }) == result)
        #expect(emitted(by: Observable.empty().concat(shared)) == result)
    }

    /// A source that another thread ends during its start is released after its end has been delivered.
    @Test func endOnOtherThreadIsDeliveredBeforeSourceIsReleased() {
        let log = Cell<[String]>([])
        let (isInside, hasReturned) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let threads = Cell<[Thread]>([])
        let source = Observable<Int>.create { observer in
            threads.append(Thread { observer.onCompleted() })
            isInside.wait()
            return Disposables.create { log.append("freed") }
        }
        _ = Observable.concat(.empty(), source).subscribe(onCompleted: {
            isInside.signal()
            hasReturned.wait()
            log.append("end")
        })
        hasReturned.signal()
        for thread in threads.value { thread.join() }
        #expect(log.value == ["end", "freed"])
    }

    static let firsts: [(name: String, first: Observable<Int>)] = [
        ("just", .just(1)), ("turns", .of(1)), ("nested", .concat(.just(1), .empty())),
        ("put off", .concat(.empty(), .of(1), .empty())),
    ]

    /// A nested sequence that the outer run starts later defers the same work that its own first subscription would
    /// defer.
    @Test(arguments: firsts.indices) func laterAttemptsDeferTheSameWork(_ index: Int) {
        let (log, observers) = (Cell<[String]>([]), Cell<[AnyObserver<Int>]>([]))
        let failingLater = Observable<Int>.create { observer in
            log.append("subscribed")
            observers.append(observer)
            return Disposables.create()
        }
        let subscription = Observable.concat([Self.firsts[index].first, failingLater]).retry(3)
            .map { _ in Observable.of(1, 2) }.switchLatest()
            .subscribe(onNext: { log.append("\($0)") }, onError: { _ in })
        let first = log.value
        #expect(first.sorted() == ["1", "2", "subscribed"] && first.last == "2", "\(Self.firsts[index].name)")
        for attempt in 2...3 {
            log.update { $0 = [] }
            observers.value.last?.onError(TestError())
            #expect(log.value == first, "\(Self.firsts[index].name), attempt \(attempt)")
        }
        subscription.dispose()
    }

    /// - Parameter hasOwnRun: whether the nested sequence has a run of its own rather than being carried out by the
    ///   outer run.
    @Test(arguments: [false, true]) func sourceAfterNestedSequenceStartsAfterItsDeferredWork(_ hasOwnRun: Bool) {
        let (log, first) = (Cell<[String]>([]), PublishSubject<Int>())
        let nested = Observable.concat(.just(1), .just(2))
        let last = Observable<Int>.create { _ in
            log.append("subscribed")
            return Disposables.create()
        }
        let subscription = Observable.concat([first, hasOwnRun ? nested.filter { _ in true } : nested, last])
            .flatMap { Observable.of($0, 10 * $0) }.subscribe(onNext: { log.append("\($0)") })
        first.onCompleted()
        #expect(log.value == ["1", "2", "10", "20", "subscribed"])
        subscription.dispose()
    }

    /// A source that ends inside its start, which does not enter the trampoline.
    private final class EndingOffTheTrampoline: Observable<Int>, @unchecked Sendable {
        private let log: @Sendable (String) -> Void

        init(_ log: @escaping @Sendable (String) -> Void) {
            self.log = log
            super.init()
        }

        override var startsOnTrampoline: Bool { false }

        override func run(_ sink: Sink<Int>) -> any Disposable {
            log("+")
            sink.completed()
            return Disposables.create { [log] in log("-") }
        }
    }

    @Test func sourceOfNestedSequenceIsReleasedBeforeNextStarts() {
        let (log, first, third) = (Cell<[String]>([]), PublishSubject<Int>(), PublishSubject<Int>())
        let last = (1...2).map { number in EndingOffTheTrampoline { log.append("\($0)\(number)") } }
        let nested = Observable.concat([.of(0), third] + last)
        let subscription = Observable.concat([first, nested, .never()]).subscribe()
        first.onCompleted()
        third.onCompleted()
        #expect(log.value == ["+1", "-1", "+2", "-2"])
        subscription.dispose()
    }

    @Test func singleElementIsDeliveredOffTheTrampolineAtLaterStart() {
        let (log, first) = (Cell<[String]>([]), PublishSubject<Int>())
        _ = first.concat(.just(1)).subscribe(onNext: { _ in
            _ = Observable.of(2).subscribe(onNext: { log.append("\($0)") })
            log.append("1")
        })
        first.onCompleted()
        #expect(log.value == ["2", "1"])
    }

    /// The first source ends the run, and then itself, inside its own start.
    @Test func noSourceIsPulledAfterEnd() {
        let (stop, pulled) = (PublishSubject<Int>(), Cell(0))
        let source = Observable<Int>.create { observer in
            stop.onNext(1)
            observer.onCompleted()
            return Disposables.create()
        }
        let sources = (1...3).lazy.map { _ in
            pulled.update { $0 += 1 }
            return source
        }
        #expect(events(Observable.concat(AnySequence(sources)).take(until: stop)) == [.completed])
        #expect(pulled.value == 1)
    }

    /// Operators that end the run inside its start, after which nothing else is subscribed to.
    static let shortened: [(name: String, apply: @Sendable (Observable<Int>) -> Observable<Int>)] = [
        ("sample", { Observable.just(1).sample($0) }),
        ("zip", { .zip(Observable.just(1), $0) { $0 + $1 }.take(1) }),
        ("combineLatest", { .combineLatest(Observable.just(1), $0) { $0 + $1 }.take(1) }),
        ("withLatestFrom", { $0.withLatestFrom(Observable.just(1)).take(1) }),
        ("flatMap", { $0.flatMap { Observable.just($0) }.take(1) }),
        ("amb", { $0.amb(.never()).take(1) }),
        ("groupBy", { $0.groupBy { $0 }.merge().take(1) }),
        ("groupBy without groups", { $0.groupBy { $0 }.take(1).map { _ in 1 } }),
        (
            "buffer",
            { $0.buffer(timeSpan: .seconds(1), count: 1, scheduler: HistoricalScheduler()).take(1).map { $0[0] } }
        ),
        ("throttle", { $0.throttle(.seconds(1), scheduler: HistoricalScheduler()).take(1) }),
        ("timeout", { $0.timeout(.seconds(1), scheduler: HistoricalScheduler()).take(1) }),
        (
            "window",
            { $0.window(timeSpan: .seconds(1), count: 1, scheduler: HistoricalScheduler()).take(1).map { _ in 1 } }
        ),
        (
            "window's elements",
            { $0.window(timeSpan: .seconds(1), count: 2, scheduler: HistoricalScheduler()).merge().take(1) }
        ),
    ]

    @Test(arguments: shortened.indices) func nothingIsSubscribedToAfterEnd(_ index: Int) {
        let rule = Self.shortened[index]
        let runs = Cell(0)
        let hot = Observable<Int>.deferred {
            runs.update { $0 += 1 }
            return .never()
        }
        let events = emitted(by: rule.apply(Observable.just(0).concat(hot)))
        #expect(events.last == .completed, "\(rule.name)")
        #expect(runs.value == 0, "\(rule.name)")
    }
}
