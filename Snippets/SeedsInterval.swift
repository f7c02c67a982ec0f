// The sample of RxSwift's Getting Started that performs work: an interval with a timer of Dispatch, in real time. The main
// thread waits for an element in place of a time, so that this prints the same every time.

@preconcurrency import Dispatch
import RxEngine

func myInterval(_ interval: DispatchTimeInterval) -> Observable<Int> {
    Observable.create { observer in
        print("Subscribed")
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue.global())
        timer.schedule(deadline: DispatchTime.now() + interval, repeating: interval)
        let cancel = Disposables.create {
            print("Disposed")
            timer.cancel()
        }
        // Only the timer's handler uses it.
        nonisolated(unsafe) var next = 0
        timer.setEventHandler {
            if cancel.isDisposed { return }
            observer.on(.next(next))
            next += 1
        }
        timer.resume()
        return cancel
    }
}

let counter = myInterval(.milliseconds(100))
let fifth = DispatchSemaphore(value: 0)

print("Started ----")
let subscription = counter.subscribe(onNext: { n in
    print(n)
    if n == 4 { fifth.signal() }
})
fifth.wait()
subscription.dispose()
print("Ended ----")

// Prints:
// Started ----
// Subscribed
// 0
// 1
// 2
// 3
// 4
// Disposed
// Ended ----
