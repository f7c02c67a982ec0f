// Operators that change elements, run a sequence for each element, collect elements, or split a sequence.

import RxEngine

/// Prints the events of a sequence in one line: its elements, then | for completion or X for an error.
func show<Element>(_ title: String, _ sequence: some ObservableConvertibleType<Element>) {
    print(title, terminator: ":")
    _ = sequence.asObservable().subscribe(
        onNext: { print("", $0, terminator: "") }, onError: { print(" X", $0) }, onCompleted: { print(" |") })
}

let numbers = Observable.of(1, 2, 3, 4, 5)

// One element for one element.
show("map", numbers.map { $0 * 10 })
show("mapTo", numbers.mapTo("tick").take(2))
show("compactMap", Observable.of("1", "two", "3").compactMap { Int($0) })
show("unwrap", Observable.of(1, nil, 3).unwrap())
show("ofType", Observable<Any>.of(1, "two", 3).ofType(Int.self))
show("cast", Observable<Any>.of(1, "two").cast(to: Int.self).catchAndReturn(-1))
show("enumerated", Observable.of("a", "b").enumerated().map { "\($0.index)\($0.element)" })

// Accumulating: each intermediate result, or only the last.
show("scan", numbers.scan(0) { $0 + $1 })
show("scan(into:)", numbers.scan(into: [Int]()) { $0.append($1) }.skip(3))
show("reduce", numbers.reduce(0) { $0 + $1 })

// A sequence for each element. The operators differ in which of these sequences run at the same time: a, b and c are
// asked for in this order, each emits its first element then, a completes, and b and c emit once more.
func show(
    _ title: String,
    flattening flatten: (Observable<String>, @escaping @Sendable (String) -> Observable<String>) -> Observable<String>
) {
    let (keys, elements) = (PublishSubject<String>(), PublishSubject<String>())
    print(title, terminator: ":")
    let run = flatten(keys) { key in
        elements.filter { $0.hasPrefix(key) }.take(until: { $0 == "a2" }, behavior: .inclusive)
    }
    .subscribe(onNext: { print("", $0, terminator: "") })
    for key in ["a", "b", "c"] {
        keys.onNext(key)
        elements.onNext(key + "1")
    }
    for element in ["a2", "b2", "c2"] { elements.onNext(element) }
    run.dispose()
    print()
}
show("flatMap") { $0.flatMap($1) }
show("flatMap(maxConcurrent: 2)") { $0.flatMap(maxConcurrent: 2, $1) }
show("concatMap") { $0.concatMap($1) }
show("concatMapEager") { $0.concatMapEager($1) }
show("flatMapLatest") { $0.flatMapLatest($1) }
show("flatMapFirst") { $0.flatMapFirst($1) }

// Collecting elements.
show("toArray", numbers.toArray())
show("pairwise", numbers.pairwise().map { "\($0.previous)-\($0.current)" })
show("nwise", numbers.nwise(3))
show("buffer(count:)", numbers.buffer(count: 2))
show("buffer(count:skip:)", numbers.buffer(count: 2, skip: 3))
show("buffer(while:)", numbers.buffer(while: { $0 != 3 }))

// The first element decides what becomes of all: here, it is the unit.
show("switchOnFirst", Observable.of(5, 10, 20).switchOnFirst { unit, all in all.map { $0 / unit } })

// Splitting by key: one sequence for each key.
show(
    "groupBy",
    numbers.groupBy { $0 % 2 == 0 ? "even" : "odd" }.flatMap { group in group.toArray().map { "\(group.key) \($0)" } })

// Events as elements, and back.
show("materialize", numbers.take(2).materialize())
show("dematerialize", numbers.take(2).materialize().dematerialize())
struct Failure: Error {}
let attempts = Observable<Observable<Int>>.of(.just(1), .error(Failure()), .just(3)).concatMap { $0.materialize() }
show("elements", attempts.elements())
show("errors", attempts.errors())

// Prints:
// map: 10 20 30 40 50 |
// mapTo: tick tick |
// compactMap: 1 3 |
// unwrap: 1 3 |
// ofType: 1 3 |
// cast: 1 -1 |
// enumerated: 0a 1b |
// scan: 1 3 6 10 15 |
// scan(into:): [1, 2, 3, 4] [1, 2, 3, 4, 5] |
// reduce: 15 |
// flatMap: a1 b1 c1 a2 b2 c2
// flatMap(maxConcurrent: 2): a1 b1 a2 b2 c2
// concatMap: a1 a2 b2
// concatMapEager: a1 a2 b1 b2
// flatMapLatest: a1 b1 c1 c2
// flatMapFirst: a1 a2
// toArray: [1, 2, 3, 4, 5] |
// pairwise: 1-2 2-3 3-4 4-5 |
// nwise: [1, 2, 3] [2, 3, 4] [3, 4, 5] |
// buffer(count:): [1, 2] [3, 4] [5] |
// buffer(count:skip:): [1, 2] [4, 5] |
// buffer(while:): [1, 2] [4, 5] |
// switchOnFirst: 1 2 4 |
// groupBy: odd [1, 3, 5] even [2, 4] |
// materialize: next(1) next(2) completed |
// dematerialize: 1 2 |
// elements: 1 3 |
// errors: Failure() |
