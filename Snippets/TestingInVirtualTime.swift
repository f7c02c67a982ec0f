// Tests of sequences: recorded events in virtual time, probes with expectations, and what code must not use.

import RxEngine
import RxEngineTest

// Events at the times of a clock that the test moves. `start` subscribes at 200.
let scheduler = TestScheduler(initialClock: 0)
let keys = scheduler.createHotObservable([.next(210, "r"), .next(212, "rx"), .next(230, "rxs"), .completed(300)])
let searches = scheduler.start { keys.debounce(.seconds(5), scheduler: scheduler) }
for event in searches.events { print("at \(event.time): \(event.value)") }
print("subscribed from \(keys.subscriptions[0].subscribe) to \(keys.subscriptions[0].unsubscribe)")

// The same as text. An expectation that does not hold records an issue of the running test, and traps elsewhere.
let source = TestScheduler(initialClock: 0)
source.expect("--A-B|") { source.marble("--a-b|").map { $0.uppercased() } }
print("the marbles are as expected")

// A probe of a sequence that emits at once.
Observable.of(1, 2).test().expectValues([1, 2]).expectCompletion()
Observable.of(1, 2).test().assertResult(1, 2)

// Step by step: each step makes elements arrive, and says which ones.
let clock = TestScheduler(initialClock: 0)
Observable<Int>.interval(.seconds(10), scheduler: clock).test()
    .then { clock.advanceTo(10) }.expectNext(0)
    .then { clock.advanceTo(30) }.expectNext(1, 2).expectNoMoreValues().expectNoEnd()
print("the steps are as expected")

// A sequence that nobody may subscribe to, and a scheduler that nothing may use.
let backup = SubscriptionProbe(of: .just("backup"))
Observable.just("primary").ifEmpty(switchTo: backup.asObservable()).test().expectValues(["primary"])
backup.expectNotSubscribed()
Observable.just(1).retry(.delayed(.seconds(1)), scheduler: UnimplementedScheduler()).test().assertResult(1)
print("nothing was used that must not be")

// What a failed expectation prints: two diagrams, one above the other.
let other = TestScheduler(initialClock: 0)
let received = other.start { other.marble("-a-b|") }
if let difference = try received.difference(from: "-a--b|") { print(difference) }

// Elements of other threads are awaited. The task may run on another thread afterwards, and use no such clock any more.
let queue = SerialDispatchQueueScheduler(qos: .default)
let ticks = Observable<Int>.interval(.milliseconds(1), scheduler: queue).take(3).test()
print("awaited:", await ticks.awaitCount(3).values)

// Prints:
// at 217: next(rx)
// at 235: next(rxs)
// at 300: completed
// subscribed from 200 to 300
// the marbles are as expected
// the steps are as expected
// nothing was used that must not be
// expected  -a--b|
// received  -a-b|
// differs      ^^^
// at 203: expected nothing, received b
// at 204: expected b, received completion
// at 205: expected completion, received nothing
// awaited: [0, 1, 2]
