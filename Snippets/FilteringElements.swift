// Operators that keep some of the elements, end a sequence early, or ask a question about all elements.

import RxEngine

/// Prints the events of a sequence in one line: its elements, then | for completion or X for an error.
func show<Element>(_ title: String, _ sequence: some ObservableConvertibleType<Element>) {
    print(title, terminator: ":")
    _ = sequence.asObservable().subscribe(
        onNext: { print("", $0, terminator: "") }, onError: { print(" X", $0) }, onCompleted: { print(" |") })
}

let numbers = Observable.of(1, 2, 2, 3, 1, 4)

// By the elements themselves.
show("filter", numbers.filter { $0 % 2 == 0 })
show("ignore", numbers.ignore(1, 2))
show("ignoreWhen", numbers.ignoreWhen { $0 > 2 })
show("ignoreElements", numbers.ignoreElements())
show("distinctUntilChanged", numbers.distinctUntilChanged())
show("distinct", numbers.distinct())

// By their places.
show("take", numbers.take(2))
show("takeLast", numbers.takeLast(2))
show("take(while:)", numbers.take(while: { $0 < 3 }))
show("take(until:behavior:)", numbers.take(until: { $0 == 3 }, behavior: .inclusive))
show("skip", numbers.skip(4))
show("skipLast", numbers.skipLast(4))
show("skip(while:)", numbers.skip(while: { $0 < 3 }))
show("element(at:)", numbers.element(at: 3))
show("first", numbers.first().map { "\($0 ?? 0)" })
show("last", numbers.last(default: 0))

// By what another sequence does.
let (source, other) = (PublishSubject<Int>(), PublishSubject<Void>())
show("take(until:)", source.take(until: other))
source.onNext(1)
other.onNext(())
show("skip(until:), then", source.skip(until: other).take(1))
source.onNext(2)
other.onNext(())
source.onNext(3)

let gate = BehaviorSubject(value: true)
show("pausable", source.pausable(gate).take(2))
source.onNext(4)
gate.onNext(false)
source.onNext(5)
gate.onNext(true)
source.onNext(6)

show("pausableBuffered", source.pausableBuffered(gate, limit: 2).take(4))
source.onNext(7)
gate.onNext(false)
for number in 8...10 { source.onNext(number) }
gate.onNext(true)
source.onNext(11)

// Exactly one element, and a substitute if there is none.
show("single", numbers.single())
show("single(_:)", numbers.single { $0 == 3 })
show("ifEmpty(default:)", Observable<Int>.empty().ifEmpty(default: 7))
show("ifEmpty(switchTo:)", Observable<Int>.empty().ifEmpty(switchTo: .of(8, 9)))

// Questions about all elements. The answer is a single.
show("isEmpty", numbers.isEmpty())
show("contains", numbers.contains(3))
show("any", numbers.any { $0 > 4 })
show("all", numbers.all { $0 > 0 })
show("count", numbers.count())
show("sequenceEqual", numbers.sequenceEqual(Observable.of(1, 2)))

// Prints:
// filter: 2 2 4 |
// ignore: 3 4 |
// ignoreWhen: 1 2 2 1 |
// ignoreElements: |
// distinctUntilChanged: 1 2 3 1 4 |
// distinct: 1 2 3 4 |
// take: 1 2 |
// takeLast: 1 4 |
// take(while:): 1 2 2 |
// take(until:behavior:): 1 2 2 3 |
// skip: 1 4 |
// skipLast: 1 2 |
// skip(while:): 3 1 4 |
// element(at:): 3 |
// first: 1 |
// last: 4 |
// take(until:): 1 |
// skip(until:), then: 3 |
// pausable: 4 6 |
// pausableBuffered: 7 9 10 11 |
// single: 1 X the sequence has more than one element
// single(_:): 3 |
// ifEmpty(default:): 7 |
// ifEmpty(switchTo:): 8 9 |
// isEmpty: false |
// contains: true |
// any: false |
// all: true |
// count: 6 |
// sequenceEqual: false |
