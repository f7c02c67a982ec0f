// The samples of RxSwift's Getting Started. Their intervals run in virtual time, so that this prints the same every
// time, and at once. Other snippets have the rest: MyFrom, SharedInterval, SearchBox, SeedsInterval,
// SeedsCustomOperators, SeedsDisposing, SeedsSearch, SeedsRequests and SeedsObservation.

import RxEngine
import RxEngineTest

let scheduler = TestScheduler(initialClock: 0, resolution: 0.1, simulateProcessingDelay: false)

/// Moves the clock, in tenths of a second, as a sleeping thread would.
func sleep(_ time: Int) { scheduler.advanceTo(scheduler.clock + time) }

print("-- Disposing")
let subscription = Observable<Int>.interval(.milliseconds(300), scheduler: scheduler).subscribe { event in print(event)
}
sleep(20)
subscription.dispose()

print("-- Implicit guarantees: events do not overlap")
_ = Observable.of("a", "b").subscribe(onNext: { element in
    print("Event processing started: \(element)")
    print("Event processing ended: \(element)")
})

print("-- A call that returns an observable does no work")
func searchWikipedia(_ term: String) -> Observable<String> {
    Observable.create { observer in
        print("request for \(term)")
        observer.on(.next("results for \(term)"))
        observer.on(.completed)
        return Disposables.create()
    }
}
let searchForMe = searchWikipedia("me")
print("no request so far")
_ = searchForMe.subscribe(onNext: { results in print(results) })

print("-- just, by hand")
func myJust<E: Sendable>(_ element: E) -> Observable<E> {
    Observable.create { observer in
        observer.on(.next(element))
        observer.on(.completed)
        return Disposables.create()
    }
}
_ = myJust(0).subscribe(onNext: { n in print(n) })

print("-- interval, by hand: each subscriber has its own run")
func myInterval(_ interval: RxTimeInterval) -> Observable<Int> {
    Observable.create { observer in
        print("Subscribed")
        let timer = scheduler.schedulePeriodic(0, startAfter: interval, period: interval) { next in
            observer.on(.next(next))
            return next + 1
        }
        let message = Disposables.create { print("Disposed") }
        return Disposables.create(timer, message)
    }
}
let counter = myInterval(.milliseconds(100))
let subscription1 = counter.subscribe(onNext: { n in print("First \(n)") })
let subscription2 = counter.subscribe(onNext: { n in print("Second \(n)") })
sleep(2)
subscription1.dispose()
sleep(2)
subscription2.dispose()

print("-- Infallible: no closure for errors")
let infallible = Infallible<Int>.create { observer in
    observer(.next(1))
    observer(.completed)
    return Disposables.create()
}
_ = infallible.subscribe(onNext: { n in print(n) }, onCompleted: { print("completed") })

print("-- Resources: the same number after each use")
func useScreen() {
    let ticks = counter.subscribe(onNext: { _ in print("Resource count has grown: \(Resources.total > before)") })
    sleep(1)
    ticks.dispose()
}
let before = Resources.total
useScreen()
print("left: \(Resources.total - before)")

print("-- Life happens: out of the sequence, and back through a relay")
let kittens = BehaviorRelay(value: "first kitten")
let magicBeings = PublishSubject<String>()
let bag = DisposeBag()
kittens.asObservable().map { kitten in "\(kitten) purrs" }.subscribe(onNext: { print($0) }).disposed(by: bag)
magicBeings.subscribe(onNext: { being in kittens.accept("kitten of \(being)") }).disposed(by: bag)
magicBeings.on(.next("a unicorn"))

// Prints:
// -- Disposing
// next(0)
// next(1)
// next(2)
// next(3)
// next(4)
// next(5)
// -- Implicit guarantees: events do not overlap
// Event processing started: a
// Event processing ended: a
// Event processing started: b
// Event processing ended: b
// -- A call that returns an observable does no work
// no request so far
// request for me
// results for me
// -- just, by hand
// 0
// -- interval, by hand: each subscriber has its own run
// Subscribed
// Subscribed
// First 0
// Second 0
// First 1
// Second 1
// Disposed
// Second 2
// Second 3
// Disposed
// -- Infallible: no closure for errors
// 1
// completed
// -- Resources: the same number after each use
// Subscribed
// Resource count has grown: true
// Disposed
// left: 0
// -- Life happens: out of the sequence, and back through a relay
// first kitten purrs
// kitten of a unicorn purrs
