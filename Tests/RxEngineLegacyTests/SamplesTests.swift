import Dispatch
import RxEngine
import RxEngineLegacy
import TestSupport
import Testing

/// The samples of the seed documents in the names of Swift 2, and what they print.
@Suite(.balanced, .serialized) struct SamplesTests {
    private let log = Cell<[String]>([])

    private func print(_ text: some CustomStringConvertible & Sendable) { log.append("\(text)") }

    private func myJust<E: Sendable>(_ element: E) -> Observable<E> {
        create { observer in
            observer.on(.Next(element))
            observer.on(.Completed)
            return NopDisposable.instance
        }
    }

    private func myFrom<E: Sendable>(_ sequence: [E]) -> Observable<E> {
        create { observer in
            for element in sequence {
                observer.on(.Next(element))
            }

            observer.on(.Completed)
            return NopDisposable.instance
        }
    }

    private func myMap<E, R>(_ transform: @escaping @Sendable (E) -> R) -> (Observable<E>) -> Observable<R> {
        { source in
            create { observer in
                let subscription = source.subscribe { e in
                    switch e {
                    case .Next(let value):
                        let result = transform(value)
                        observer.on(.Next(result))
                    case .Error(let error):
                        observer.on(.Error(error))
                    case .Completed:
                        observer.on(.Completed)
                    }
                }
                return subscription
            }
        }
    }

    /// The seed's timer, on a scheduler instead of a dispatch source of its own.
    private func myInterval(_ interval: Double, _ scheduler: any SchedulerType) -> Observable<Int64> {
        create { [log] observer in
            log.append("Subscribed")
            let timer = RxEngineLegacy.interval(interval, scheduler).subscribeNext { observer.on(.Next($0)) }
            return AnonymousDisposable {
                log.append("Disposed")
                timer.dispose()
            }
        }
    }

    @Test func myJustPrintsItsElement() {
        myJust(0)
            .subscribeNext { n in
                print(n)
            }
        #expect(log.value == ["0"])
    }

    @Test func myFromPrintsItsElementsForEachSubscription() {
        let stringCounter = myFrom(["first", "second"])
        print("Started ----")
        stringCounter
            .subscribeNext { n in
                print(n)
            }
        print("----")
        stringCounter
            .subscribeNext { n in
                print(n)
            }
        print("Ended ----")
        #expect(log.value == ["Started ----", "first", "second", "----", "first", "second", "Ended ----"])
    }

    @Test func myMapPrintsItsResults() {
        let scheduler = HistoricalScheduler()
        let subscription = myMap { "This is simply \($0)" }(myInterval(0.1, scheduler))
            .subscribeNext { n in
                print(n)
            }
        scheduler.advanceTo(scheduler.now.addingTimeInterval(0.35))
        subscription.dispose()
        #expect(
            log.value == ["Subscribed", "This is simply 0", "This is simply 1", "This is simply 2", "Disposed"])
    }

    @Test func sharedIntervalHasOneSubscription() {
        let scheduler = HistoricalScheduler()
        let counter = myInterval(0.1, scheduler)
            .shareReplay(1)
        let subscription1 =
            counter
            .subscribeNext { n in
                print("First \(n)")
            }
        let subscription2 =
            counter
            .subscribeNext { n in
                print("Second \(n)")
            }
        scheduler.advanceTo(scheduler.now.addingTimeInterval(0.15))
        subscription1.dispose()
        scheduler.advanceTo(scheduler.now.addingTimeInterval(0.1))
        subscription2.dispose()
        #expect(log.value == ["Subscribed", "First 0", "Second 0", "Second 1", "Disposed"])
    }

    /// `scopedDispose()` ends the subscription when its scope is left.
    @Test func scopeEndsSubscription() {
        let subject = PublishSubject<Int>()
        do {
            let autoDispose =
                subject
                .subscribe {
                    print("\($0)")
                }
                .scopedDispose()
            subject.on(.Next(1))
            withExtendedLifetime(autoDispose) {}
        }
        subject.on(.Next(2))
        #expect(log.value == ["next(1)"])
    }

    @Test func kittensComeBackThroughVariable() {
        let bag = DisposeBag()
        let kittens = Cell<Variable<String>?>(Variable("first"))
        kittens.value?
            .map { "\($0) purrs" }
            .subscribe(next: { print($0) }, completed: { print("completed") })
            .addDisposableTo(bag)
        kittens.value?.value = "second"
        #expect(kittens.value?.value == "second")
        kittens.update { $0 = nil }
        #expect(log.value == ["first purrs", "second purrs", "completed"])
    }

    @Test func resourceCountReturnsToItsStart() async throws {
        let before = resourceCount
        do {
            let subscription = PublishSubject<Int>().subscribeNext { _ in }
            #if TRACE_RESOURCES
            #expect(resourceCount > before)
            #endif
            subscription.dispose()
        }
        try await eventually("\(resourceCount) objects, as before: \(before)") { resourceCount == before }
    }
}
