// A custom observable: each subscription runs the closure again, and nothing runs before the first one.

import RxEngine

func myFrom<Element: Sendable>(_ sequence: [Element]) -> Observable<Element> {
    Observable.create { observer in
        for element in sequence { observer.onNext(element) }
        observer.onCompleted()
        return Disposables.create()
    }
}

let stringCounter = myFrom(["first", "second"])

print("Started ----")

// First subscription.
_ = stringCounter.subscribe(onNext: { print($0) })

print("----")

// Second subscription.
_ = stringCounter.subscribe(onNext: { print($0) })

print("Ended ----")

// Prints:
// Started ----
// first
// second
// ----
// first
// second
// Ended ----
