import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// The printed samples of RxSwift's Getting Started, in virtual time. Its editions differ only in when the samples' own
/// interval first ticks: at once in the older ones, after one period in the newer.
@Suite(.balanced) struct GettingStartedTests {
    private func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init)
    }

    @Test func disposeStopsInterval() {
        let transcript = Transcript()
        let ticks = Observable<Int>.interval(.milliseconds(300), scheduler: transcript.scheduler)
        let events = ticks.subscribe { transcript.print($0) }
        let elements = ticks.subscribe(onNext: { transcript.print($0) })
        transcript.wait(2000)
        events.dispose()
        elements.dispose()
        transcript.wait(2000)
        #expect(transcript.lines.filter { !$0.hasPrefix("next") } == ["0", "1", "2", "3", "4", "5"])
        #expect(transcript.lines.filter { $0.hasPrefix("next") } == (0...5).map { "next(\($0))" })
    }

    @Test func observerFinishesEventBeforeNext() {
        let transcript = Transcript()
        let subject = PublishSubject<Int>()
        let subscription = Observable.merge(subject.map { $0 }, subject.map { -$0 }).subscribe { event in
            transcript.print("Event processing started")
            // Also if processing one event causes another.
            if event.element == 1 { subject.onNext(2) }
            transcript.print("Event processing ended")
        }
        subject.onNext(1)
        #expect(
            transcript.lines
                == Array(repeating: ["Event processing started", "Event processing ended"], count: 4).flatMap { $0 })
        subscription.dispose()
    }

    @Test func myJust() {
        let transcript = Transcript()
        let just = Observable<Int>.create { observer in
            observer.on(.next(0))
            observer.on(.completed)
            return Disposables.create()
        }
        _ = just.subscribe(onNext: { transcript.print($0) })
        #expect(transcript.lines == ["0"])
    }

    @Test func callingMethodDoesNoWork() {
        let transcript = Transcript()
        func searchWikipedia(_ term: String) -> Observable<String> {
            Observable.create { observer in
                transcript.print("request for \(term)")
                observer.on(.completed)
                return Disposables.create()
            }
        }
        let searchForMe = searchWikipedia("me").map { $0 + "!" }.filter { !$0.isEmpty }.share(replay: 1)
        #expect(transcript.lines == [])
        _ = searchForMe.subscribe(onNext: { transcript.print($0) })
        #expect(transcript.lines == ["request for me"])
    }

    @Test func myIntervalOnce() {
        let expected = lines("Started ----\nSubscribed\n0\n1\n2\n3\n4\nDisposed\nEnded ----")
        for (first, sleep) in [(100, 500), (0, 499)] {
            let transcript = Transcript()
            transcript.print("Started ----")
            let subscription = transcript.myInterval(100, first: first).subscribe(onNext: { transcript.print($0) })
            transcript.wait(sleep)
            subscription.dispose()
            transcript.print("Ended ----")
            #expect(transcript.lines == expected)
        }
    }

    @Test func twoSubscribersHaveSeparateRuns() {
        let transcript = Transcript()
        let counter = transcript.myInterval(100)
        transcript.print("Started ----")
        let first = counter.subscribe(onNext: { transcript.print("First \($0)") })
        let second = counter.subscribe(onNext: { transcript.print("Second \($0)") })
        transcript.wait(500)
        first.dispose()
        transcript.wait(500)
        second.dispose()
        transcript.print("Ended ----")
        #expect(
            transcript.lines
                == lines(
                    """
                    Started ----
                    Subscribed
                    Subscribed
                    First 0
                    Second 0
                    First 1
                    Second 1
                    First 2
                    Second 2
                    First 3
                    Second 3
                    First 4
                    Second 4
                    Disposed
                    Second 5
                    Second 6
                    Second 7
                    Second 8
                    Second 9
                    Disposed
                    Ended ----
                    """))
    }

    /// `share(replay: 1)`, in each way of writing it. In the older editions the first subscriber still receives the
    /// tick at which it unsubscribes.
    @Test(arguments: [(100, 4), (0, 5)], [true, false])
    func sharing(_ edition: (first: Int, last: Int), isSpelledOut: Bool) {
        let transcript = Transcript()
        let source = transcript.myInterval(100, first: edition.first)
        let counter = isSpelledOut ? source.replay(1).refCount() : source.share(replay: 1)
        transcript.print("Started ----")
        let first = counter.subscribe(onNext: { transcript.print("First \($0)") })
        let second = counter.subscribe(onNext: { transcript.print("Second \($0)") })
        transcript.wait(500)
        first.dispose()
        transcript.wait(edition.first == 0 ? 499 : 500)
        second.dispose()
        transcript.print("Ended ----")
        let together = (0...edition.last).flatMap { ["First \($0)", "Second \($0)"] }
        let alone = (edition.last + 1...9).map { "Second \($0)" }
        #expect(
            transcript.lines == ["Started ----", "Subscribed"] + together + alone + ["Disposed", "Ended ----"])
    }

    @Test func myMap() {
        let transcript = Transcript()
        let subscription = transcript.myInterval(100)
            .myMap { "This is simply \($0)" }
            .subscribe(onNext: { transcript.print($0) })
        transcript.wait(900)
        #expect(transcript.lines == ["Subscribed"] + (0...8).map { "This is simply \($0)" })
        subscription.dispose()
    }

    @Test func myDebug() {
        let transcript = Transcript()
        let subscription = transcript.myInterval(100)
            .myDebug(identifier: "it", transcript)
            .subscribe(onNext: { transcript.print($0) })
        transcript.wait(200)
        subscription.dispose()
        #expect(
            transcript.lines == [
                "subscribed it", "Subscribed", "event it next(0)", "0", "event it next(1)", "1",
                "disposing it",
                "Disposed",
            ])
    }

    /// A `Variable` of the older editions is a `BehaviorRelay` today, which never completes.
    @Test func variable() {
        let transcript = Transcript()
        let variable = BehaviorRelay(value: 0)
        let bag = DisposeBag()
        transcript.print("Before first subscription ---")
        variable.asObservable().subscribe(onNext: { transcript.print("First \($0)") }).disposed(by: bag)
        transcript.print("Before send 1")
        variable.accept(1)
        transcript.print("Before second subscription ---")
        variable.asObservable().subscribe(onNext: { transcript.print("Second \($0)") }).disposed(by: bag)
        variable.accept(2)
        transcript.print("End ---")
        #expect(
            transcript.lines
                == lines(
                    """
                    Before first subscription ---
                    First 0
                    Before send 1
                    First 1
                    Before second subscription ---
                    Second 1
                    First 2
                    Second 2
                    End ---
                    """))
    }

    @Test func countingResources() {
        let transcript = Transcript()
        let before = Resources.total
        let subscription = Observable<Int>.interval(.seconds(1), scheduler: transcript.scheduler)
            .subscribe(onNext: { _ in transcript.print("Resource count \(Resources.total - before)") })
        transcript.wait(3000)
        #if TRACE_RESOURCES
        #expect(Resources.total > before)
        #endif
        #expect(transcript.lines.count == 3)
        #expect(Set(transcript.lines).count == 1)
        subscription.dispose()
    }

    /// The search box: input is debounced, requested once, retried after two failures, and a newer query cancels an
    /// older one.
    @Test func search() {
        let transcript = Transcript()
        let scheduler = transcript.scheduler
        let searchText = PublishSubject<String>()
        @Sendable func search(_ query: String) -> Observable<[String]> {
            Observable.create { observer in
                transcript.print("asked \(query)")
                let answer = scheduler.scheduleRelative((), dueTime: .milliseconds(1000)) {
                    if query == "bad" {
                        observer.onError(TestError())
                    } else {
                        observer.onNext(["\(query) 1", "\(query) 2"])
                        observer.onCompleted()
                    }
                    return Disposables.create()
                }
                return Disposables.create(answer, Disposables.create { transcript.print("over \(query)") })
            }
        }
        let results =
            searchText
            .throttle(.milliseconds(300), scheduler: scheduler)
            .distinctUntilChanged()
            .flatMapLatest { query in
                search(query).retry(3).startWith([]).catchAndReturn([])
            }
            .share(replay: 1)
        let bag = DisposeBag()
        results.map(\.count).subscribe(onNext: { transcript.print("count \($0)") }).disposed(by: bag)
        results.subscribe(onNext: { transcript.print($0) }).disposed(by: bag)
        searchText.onNext("a")
        searchText.onNext("ab")
        transcript.wait(300)
        searchText.onNext("ab")
        transcript.wait(1500)
        #expect(
            transcript.lines == [
                "count 0", "[]", "asked a", "over a", "count 0", "[]", "asked ab", "count 2", #"["ab 1", "ab 2"]"#,
                "over ab",
            ])
        searchText.onNext("bad")
        transcript.wait(4000)
        #expect(
            transcript.lines.suffix(10) == [
                "count 0", "[]", "asked bad", "over bad", "asked bad", "over bad", "asked bad", "count 0", "[]",
                "over bad",
            ])
    }
}

extension ObservableType {
    fileprivate func myMap<Result>(transform: @escaping @Sendable (Element) -> Result) -> Observable<Result> {
        let source = asObservable()
        return Observable<Result>.create { observer in
            source.subscribe { event in
                switch event {
                case .next(let value): observer.on(.next(transform(value)))
                case .error(let error): observer.on(.error(error))
                case .completed: observer.on(.completed)
                }
            }
        }
    }

    fileprivate func myDebug(identifier: String, _ transcript: Transcript) -> Observable<Element> {
        let source = asObservable()
        return Observable<Element>.create { observer in
            transcript.print("subscribed \(identifier)")
            let subscription = source.subscribe { event in
                transcript.print("event \(identifier) \(event)")
                observer.on(event)
            }
            return Disposables.create {
                transcript.print("disposing \(identifier)")
                subscription.dispose()
            }
        }
    }
}
