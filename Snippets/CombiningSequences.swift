// Operators that combine several sequences: in order, side by side, by their latest elements, and in pairs.

import RxEngine

/// Prints the events of a sequence in one line: its elements, then | for completion or X for an error.
func show<Element>(_ title: String, _ sequence: some ObservableConvertibleType<Element>) {
    print(title, terminator: ":")
    _ = sequence.asObservable().subscribe(
        onNext: { print("", $0, terminator: "") }, onError: { print(" X", $0) }, onCompleted: { print(" |") })
}

/// Runs a combination of two subjects, which emit a1, b1, a2, a3 and b2 in this order and then complete.
func show<Result>(
    _ title: String, combining combine: (Observable<String>, Observable<String>) -> Observable<Result>
) {
    let (a, b) = (PublishSubject<String>(), PublishSubject<String>())
    show(title, combine(a, b))
    for element in ["a1", "b1", "a2", "a3", "b2"] { (element.hasPrefix("a") ? a : b).onNext(element) }
    a.onCompleted()
    b.onCompleted()
}

// One after the other.
show("startWith", Observable.of(2, 3).startWith(0, 1))
show("concat", Observable.concat(.of(1, 2), .of(3, 4)))
show("concatEager") { Observable.concatEager($0, $1) }
show("concat of sequences", Observable.of(Observable.of(1, 2), .of(3)).concat())

// Side by side: all of them, the one that emits first, or the one that was emitted last.
show("merge") { Observable.merge($0, $1) }
show("amb") { $0.amb($1) }
show("switchLatest") { Observable.of($0, $1).switchLatest() }

// The latest elements.
show("combineLatest") { Observable.combineLatest($0, $1) { $0 + $1 } }
show("combineLatest of a list") { Observable.combineLatest([$0, $1]) { $0.joined(separator: "+") } }
show("withLatestFrom") { $0.withLatestFrom($1) { $0 + $1 } }
show("sample") { $0.sample($1) }

// In pairs: the first with the first, the second with the second.
show("zip") { Observable.zip($0, $1) { $0 + $1 } }
show("zip(longest:)") { Observable.zip(longest: $0, $1) { ($0 ?? "-") + ($1 ?? "-") } }
let (digits, letters, signs) = (Observable.of(1, 2), Observable.of("a", "b"), Observable.of("+", "-", "*"))
show("zip of three", Observable.zip(digits, letters, signs) { "\($0)\($1)\($2)" })

// Whether two sequences are equal, and sequences that elements lead to: here, the parents of a process.
show("sequenceEqual", Observable.of(1, 2).sequenceEqual(Observable.of(1, 2)))
let parents = [812: 400, 400: 1]
show("expand", Observable.just(812).expand { .from(optional: parents[$0]) })

// Errors: the first one ends the sequence, or all of them are delivered after the other sequences have ended.
struct Failure: Error, CustomStringConvertible { let description: String }
let broken = Observable.of(1).concat(.error(Failure(description: "broken")))
show("merge with an error", Observable.merge(broken, .of(2, 3)))
show("mergeDelayError", Observable.mergeDelayError(broken, .of(2, 3), .error(Failure(description: "offline"))))
show("concatDelayError", Observable.concatDelayError(broken, .of(2, 3)))
show("combineLatestDelayError", Observable.combineLatestDelayError(broken, Observable.of(2, 3)) { "\($0)+\($1)" })

// Prints:
// startWith: 0 1 2 3 |
// concat: 1 2 3 4 |
// concatEager: a1 a2 a3 b1 b2 |
// concat of sequences: 1 2 3 |
// merge: a1 b1 a2 a3 b2 |
// amb: a1 a2 a3 |
// switchLatest: b1 b2 |
// combineLatest: a1b1 a2b1 a3b1 a3b2 |
// combineLatest of a list: a1+b1 a2+b1 a3+b1 a3+b2 |
// withLatestFrom: a2b1 a3b1 |
// sample: a1 a3 |
// zip: a1b1 a2b2 |
// zip(longest:): a1b1 a2b2 a3- |
// zip of three: 1a+ 2b- |
// sequenceEqual: true |
// expand: 812 400 1 |
// merge with an error: 1 2 X broken
// mergeDelayError: 1 2 3 X offline; broken
// concatDelayError: 1 2 3 X broken
// combineLatestDelayError: 1+2 1+3 X broken
