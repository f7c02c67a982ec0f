// Two subscribers of one shared interval: one run for both, and the second first receives the last tick. The clock is
// virtual, so that this prints the same every time, and at once.

import RxEngine
import RxEngineTest

let scheduler = TestScheduler(initialClock: 0, resolution: 0.1, simulateProcessingDelay: false)

let ticks = Observable<Int>.interval(.milliseconds(100), scheduler: scheduler)
let counter = Observable<Int>.create { observer in
    print("Subscribed")
    let run = ticks.subscribe(observer)
    return Disposables.create(run, Disposables.create { print("Disposed") })
}
.share(replay: 1)

print("Started ----")

let first = SerialDisposable()
let second = SerialDisposable()
scheduler.scheduleAt(0) { first.disposable = counter.subscribe(onNext: { print("First \($0)") }) }
scheduler.scheduleAt(3) { second.disposable = counter.subscribe(onNext: { print("Second \($0)") }) }
scheduler.scheduleAt(5) { first.dispose() }
scheduler.scheduleAt(6) { second.dispose() }
scheduler.start()

print("Ended ----")

// Prints:
// Started ----
// Subscribed
// First 0
// First 1
// Second 1
// First 2
// Second 2
// First 3
// Second 3
// Second 4
// Disposed
// Ended ----
