// Operators that create a sequence: from values, from a closure, from a resource, and by running a sequence again.

import RxEngine

/// Prints the events of a sequence in one line: its elements, then | for completion or X for an error.
func show<Element>(_ title: String, _ sequence: Observable<Element>) {
    print(title, terminator: ":")
    _ = sequence.subscribe(
        onNext: { print("", $0, terminator: "") }, onError: { print(" X", $0) }, onCompleted: { print(" |") })
}

struct Failure: Error {}

// From values.
show("just", .just(1))
show("of", .of(1, 2, 3))
show("from an array", .from([1, 2, 3]))
show("from a sequence", .from(stride(from: 1, to: 8, by: 3)))
show("from an optional", Observable<Int>.from(optional: nil))
show("range", Observable.range(start: 5, count: 3))
show("generate", .generate(initialState: 1, condition: { $0 < 20 }, iterate: { $0 * 2 }))
show("repeatElement", Observable.repeatElement("a").take(3))

// The sequences without elements. `never` does not end either, so that the other sequence of `amb` is first.
show("empty", Observable<Int>.empty())
show("error", Observable<Int>.error(Failure()))
show("never amb just", .never().amb(Observable.just(1)))

// From a closure, which runs for each subscription. The disposable that it returns is disposed after the end.
let greeting = Observable<String>.create { observer in
    observer.onNext("hello")
    observer.onCompleted()
    observer.onNext("dropped: the sequence has completed")
    return Disposables.create { print("cleaned up") }
}
show("create", greeting)

// A closure that chooses the sequence when somebody subscribes.
let runs = BehaviorRelay(value: 0)
let attempt = Observable<String>.deferred {
    runs.accept(runs.value + 1)
    return .just("run \(runs.value)")
}
show("deferred", attempt)
show("deferred, again", attempt)

// A resource that lives as long as the subscription.
struct LogFile: Disposable {
    let lines = ["line 1", "line 2"]

    func dispose() { print("closed the file") }
}
show("using", .using({ LogFile() }, observableFactory: { .from($0.lines) }))

// Running a sequence again after it has completed.
show("repeat", attempt.repeat().take(2))
show("repeat(2)", Observable.of(1, 2).repeat(2))
show("repeat(while:)", attempt.repeat(while: { runs.value < 6 }))
show("repeat(when:)", Observable.of(1, 2).repeat(when: { completions in completions.take(2) }))

// Prints:
// just: 1 |
// of: 1 2 3 |
// from an array: 1 2 3 |
// from a sequence: 1 4 7 |
// from an optional: |
// range: 5 6 7 |
// generate: 1 2 4 8 16 |
// repeatElement: a a a |
// empty: |
// error: X Failure()
// never amb just: 1 |
// create: hello |
// cleaned up
// deferred: run 1 |
// deferred, again: run 2 |
// using: line 1 line 2 |
// closed the file
// repeat: run 3 run 4 |
// repeat(2): 1 2 1 2 |
// repeat(while:): run 5 run 6 |
// repeat(when:): 1 2 1 2 |
