// Traits: sequences whose types promise how many elements they emit, that they never fail, or where they deliver.

import RxEngine
import RxEngineTest

enum Failure: Error { case offline }

// A single emits exactly one element, or fails.
func size(of name: String) -> Single<Int> {
    .create { observer in
        observer(name == "offline" ? .failure(Failure.offline) : .success(name.count))
        return Disposables.create()
    }
}
_ = size(of: "status").map { $0 * 2 }.subscribe(onSuccess: { print("single: \($0)") })
_ = size(of: "offline").subscribe(onSuccess: { print("single: \($0)") }, onFailure: { print("single: X \($0)") })
_ = Single.zip(size(of: "a"), size(of: "bc")).subscribe(onSuccess: { print("zip: \($0) \($1)") })
_ = size(of: "offline").catchAndReturn(0).subscribe { result in print("catchAndReturn: \(result)") }

// A maybe emits one element, or none.
for value in [1, nil] {
    let maybe = Maybe<Int>.create { observer in
        observer(value.map { .success($0) } ?? .completed)
        return Disposables.create()
    }
    _ = maybe.subscribe(onSuccess: { print("maybe: \($0)") }, onCompleted: { print("maybe: |") })
    _ = maybe.ifEmpty(default: 0).subscribe(onSuccess: { print("ifEmpty: \($0)") })
}

// A completable only completes or fails.
func save(_ name: String) -> Completable {
    .create { observer in
        print("saving \(name)")
        observer(name == "offline" ? .error(Failure.offline) : .completed)
        return Disposables.create()
    }
}
_ = save("a").andThen(save("b")).andThen(size(of: "ab")).subscribe(onSuccess: { print("andThen: \($0)") })
_ = save("offline").subscribe(onCompleted: { print("completable: |") }, onError: { print("completable: X \($0)") })

// From observables, and back. The wrong number of elements is an error.
_ = Observable.of(1, 2).asSingle().subscribe(onSuccess: { print($0) }, onFailure: { print("asSingle: X \($0)") })
_ = Observable.of(1, 2).first().subscribe(onSuccess: { print("first: \($0 ?? 0)") })
_ = size(of: "abc").asObservable().concat(Observable.just(4)).toArray().subscribe(onSuccess: {
    print("asObservable: \($0)")
})

// An infallible never fails: its subscribers have no closure for errors.
let infallible = size(of: "offline").asObservable().asInfallible(onErrorJustReturn: -1)
_ = infallible.subscribe(onNext: { print("infallible: \($0)") }, onCompleted: { print("infallible: |") })

// A driver never fails, delivers on the main actor, and shares one run, with a replay of the last element. In virtual
// time, which stands in for the main thread, a second later than the request.
let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
let query = BehaviorRelay(value: "rx")
SharingScheduler.mock(scheduler: scheduler) {
    let results = query.asDriver().flatMapLatest { text in
        size(of: text).do(onSubscribe: { print("asking for \(text)") })
            .asObservable().delay(.seconds(1), scheduler: scheduler).asDriver(onErrorJustReturn: 0)
    }
    let label = results.map { "\($0) characters" }.drive(onNext: { print("label: \($0)") })
    let table = results.drive(onNext: { print("table: \($0)") })
    scheduler.scheduleAt(5) { query.accept("offline") }
    scheduler.scheduleAt(7) { query.accept("rxwatchd") }
    scheduler.start()
    label.dispose()
    table.dispose()

    // A signal does the same without the replay: a late subscriber misses what was emitted before.
    let taps = PublishRelay<String>()
    let signal = taps.asSignal()
    _ = signal.emit(onNext: { print("early: \($0)") })
    taps.accept("first tap")
    scheduler.start()
    _ = signal.emit(onNext: { print("late: \($0)") })
    taps.accept("second tap")
    scheduler.start()
}

// Prints:
// single: 12
// single: X offline
// zip: 1 2
// catchAndReturn: success(0)
// maybe: 1
// ifEmpty: 1
// maybe: |
// ifEmpty: 0
// saving a
// saving b
// andThen: 2
// saving offline
// completable: X offline
// asSingle: X the sequence has more than one element
// first: 1
// asObservable: [3, 4]
// infallible: -1
// infallible: |
// asking for rx
// label: 2 characters
// table: 2
// asking for offline
// label: 0 characters
// table: 0
// asking for rxwatchd
// label: 8 characters
// table: 8
// early: first tap
// early: second tap
// late: second tap
