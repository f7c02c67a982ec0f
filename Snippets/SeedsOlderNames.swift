// The samples of RxSwift's first Getting Started, in the names of Swift 2 that RxEngineLegacy has. New programs use
// the names in the other snippets.

import RxEngine
import RxEngineLegacy

/// A clock that only `sleepForTimeInterval` moves.
let scheduler = HistoricalScheduler()

func sleepForTimeInterval(_ seconds: Double) { scheduler.advanceTo(scheduler.now.addingTimeInterval(seconds)) }

func myInterval(_ period: Double) -> Observable<Int64> {
    return create { observer in
        print("Subscribed")
        let timer = interval(period, scheduler).subscribeNext { observer.on(.Next($0)) }
        return AnonymousDisposable {
            print("Disposed")
            timer.dispose()
        }
    }
}

let counter = myInterval(0.1)
    .shareReplay(1)

print("Started ----")
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
sleepForTimeInterval(0.25)
subscription1.dispose()
sleepForTimeInterval(0.2)
subscription2.dispose()
print("Ended ----")

func myMap<E, R>(_ transform: @escaping @Sendable (E) -> R) -> (Observable<E>) -> Observable<R> {
    return { source in
        return create { observer in
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

func printScoped() {
    let autoDispose = myMap { "This is simply \($0)" }(myInterval(0.1))
        .subscribeNext { n in
            print(n)
        }
        .scopedDispose()
    sleepForTimeInterval(0.25)
    withExtendedLifetime(autoDispose) {}
}
printScoped()

func observeVariable() {
    let variable = Variable(0)
    print("Before first subscription ---")
    _ =
        variable
        .subscribe(next: { n in print("First \(n)") }, completed: { print("Completed 1") })
    print("Before send 1")
    variable.value = 1
    print("Before second subscription ---")
    _ =
        variable
        .subscribe(next: { n in print("Second \(n)") }, completed: { print("Completed 2") })
    variable.value = 2
    print("End ---")
}
observeVariable()

// Prints:
// Started ----
// Subscribed
// First 0
// Second 0
// First 1
// Second 1
// Second 2
// Second 3
// Disposed
// Ended ----
// Subscribed
// This is simply 0
// This is simply 1
// Disposed
// Before first subscription ---
// First 0
// Before send 1
// First 1
// Before second subscription ---
// Second 1
// First 2
// Second 2
// End ---
// Completed 1
// Completed 2
