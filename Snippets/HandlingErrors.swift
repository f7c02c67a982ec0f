// Operators that continue after an error: with other elements, with another attempt, or with the other sequences.

import RxEngine
import RxEngineTest

enum Failure: Error { case offline, notFound }

/// Prints the events of a sequence in one line: its elements, then | for completion or X for an error.
func show<Element>(_ title: String, _ sequence: Observable<Element>) {
    print(title, terminator: ":")
    _ = sequence.subscribe(
        onNext: { print("", $0, terminator: "") }, onError: { print(" X", $0) }, onCompleted: { print(" |") })
}

/// Returns a request that fails `failures` times, and then succeeds. Each attempt first emits its number.
func request(failing failures: Int, with error: Failure = .offline) -> Observable<String> {
    let attempts = BehaviorRelay(value: 0)
    return .deferred {
        attempts.accept(attempts.value + 1)
        let number = Observable.just("#\(attempts.value)")
        return attempts.value > failures ? number.concat(Observable.just("found")) : number.concat(.error(error))
    }
}

// An error ends the sequence, also one that a closure throws.
show("no operator", request(failing: 1))
show("throw", Observable.of(1, 2, 3).map { if $0 == 2 { throw Failure.notFound } else { $0 } })

// Other elements after an error.
show("catchAndReturn", request(failing: 1).catchAndReturn("nothing"))
show("catch", request(failing: 1).catch { error in .of("because of", "\(error)") })
show(
    "catch, only offline",
    request(failing: 1, with: .notFound).catch { error in
        guard case Failure.offline = error else { throw error }
        return .just("cached")
    })
show("catch(sequence:)", .catch(sequence: [request(failing: 1), .just("mirror")]))

// Another attempt: without a limit, or up to three in all.
show("retry", request(failing: 4).retry())
show("retry(3)", request(failing: 2).retry(3))
show("retry(3), too few", request(failing: 3).retry(3))

// Another attempt when another sequence emits, here for two errors that are not final.
let notifications = request(failing: 2).retry { (errors: Observable<any Error>) in
    errors.take(2).do(onNext: { print(" (\($0))", terminator: "") })
}
show("retry(when:)", notifications)

// Another attempt after a delay that doubles, in virtual time; and only for errors that may pass.
let scheduler = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
let policy = RetryPolicy.exponential(from: .seconds(1), upTo: .seconds(60), times: 4) { error in
    if case Failure.offline = error { true } else { false }
}
_ = request(failing: 3).retry(policy, scheduler: scheduler)
    .subscribe(onNext: { print("second \(scheduler.clock): \($0)") })
_ = request(failing: 3, with: .notFound).retry(policy, scheduler: scheduler)
    .subscribe(
        onNext: { print("second \(scheduler.clock): \($0)") }, onError: { print("second \(scheduler.clock): X \($0)") })
scheduler.start()

// Delays that a closure chooses, by the number of failures so far.
let later = TestScheduler(initialClock: 0, simulateProcessingDelay: false)
_ = request(failing: 3).retry(.custom(times: 3) { failures in .seconds([10, 20, 5][failures]) }, scheduler: later)
    .subscribe(onNext: { print("custom, second \(later.clock): \($0)") })
later.start()

// Errors as elements: the sequence of sequences goes on after one of them has failed.
let pages = Observable.of("a", "b", "c").flatMap { page in
    (page == "b" ? Observable<String>.error(Failure.notFound) : .just("page \(page)")).materialize()
}
show("materialize", pages.compactMap(\.element))

// Several errors, delivered together at the end.
show("mergeDelayError", .mergeDelayError(.error(Failure.offline), .just("kept"), .error(Failure.notFound)))

// Errors that the subscriber does not handle reach a hook.
Hooks.defaultErrorHandler = { _, error in print("unhandled: \(error)") }
_ = request(failing: 1).subscribe(onNext: { print($0) })

// The handler can get what a closure says of the place of the subscription.
Hooks.recordCallStackOnError = true
Hooks.customCaptureSubscriptionCallstack = { ["the main program"] }
Hooks.defaultErrorHandler = { callStack, error in print("unhandled in \(callStack.joined()): \(error)") }
_ = request(failing: 1).asMaybe().subscribe(onSuccess: { print($0) })

// Prints:
// no operator: #1 X offline
// throw: 1 X notFound
// catchAndReturn: #1 nothing |
// catch: #1 because of offline |
// catch, only offline: #1 X notFound
// catch(sequence:): #1 mirror |
// retry: #1 #2 #3 #4 #5 found |
// retry(3): #1 #2 #3 found |
// retry(3), too few: #1 #2 #3 X offline
// retry(when:): #1 (offline) #2 (offline) |
// second 0: #1
// second 0: #1
// second 0: X notFound
// second 1: #2
// second 3: #3
// second 7: #4
// second 7: found
// custom, second 0: #1
// custom, second 10: #2
// custom, second 30: #3
// custom, second 35: #4
// custom, second 35: found
// materialize: page a page c |
// mergeDelayError: kept X offline; notFound
// #1
// unhandled: offline
// unhandled in the main program: offline
