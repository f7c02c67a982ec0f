// An observable made by hand: each subscription runs the closure anew, and nothing runs before there is one.

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

// First time.
_ = stringCounter.subscribe(onNext: { print($0) })

print("----")

// Again.
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
