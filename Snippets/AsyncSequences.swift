// Observables in async code, and async code in observables. What one side cancels, the other side stops.

import RxEngine

enum Failure: Error { case offline }

// The elements in a loop. An error of the sequence is thrown.
for try await number in Observable.of(1, 2, 3).values { print("received \(number)") }
do {
    for try await number in Observable.just(1).concat(.error(Failure.offline)).values { print("received \(number)") }
} catch {
    print("caught \(error)")
}

// The outcome of a trait.
let size = Single.just("status").map(\.count)
print("single:", try await size.value)
print("maybe:", try await Maybe<Int>.empty().value ?? 0)
try await Completable.empty().value
print("completable: completed")
print("first:", try await Observable.of(4, 5).first().value ?? 0)

// Sequences that never fail are iterated without `try`.
for await number in Infallible.of(6, 7).values { print("infallible: \(number)") }
for await text in BehaviorRelay(value: "ready").asDriver().values {
    print("driver: \(text)")
    break
}

// Elements that nobody requests yet are queued, here only the newest one.
let readings = PublishSubject<Int>()
let newest = readings.values(bufferingPolicy: .bufferingNewest(1))
for reading in 1...3 { readings.onNext(reading) }
readings.onCompleted()
for try await reading in newest { print("newest: \(reading)") }

// An async sequence as an observable: each subscription iterates over it in a task.
let words = AsyncStream<String> { continuation in
    for word in ["a", "bc", "def"] { continuation.yield(word) }
    continuation.finish()
}
print("asObservable:", try await words.asObservable().map(\.count).toArray().value)

// An async function for each element: one at a time and in order, or several at a time.
@Sendable func fetch(_ page: Int) async throws -> String {
    await Task.yield()
    if page == 9 { throw Failure.offline }
    return "page \(page)"
}
print("mapAsync:", try await Observable.of(1, 2, 3).mapAsync(fetch).toArray().value)
let pages = try await Observable.of(1, 2, 3).flatMapAsync(maxConcurrent: 2, fetch).toArray().value
print("flatMapAsync, sorted:", pages.sorted())
print("catch:", try await Observable.of(1, 9).mapAsync(fetch).catchAndReturn("no page").toArray().value)

// An async function as a single, which runs it for each subscription.
let page = Single.create { try await fetch(4) }
print("Single.create:", try await page.value, "and", try await page.value)

// Cancelling the task that iterates disposes the subscription.
let (lines, log) = AsyncStream.makeStream(of: String.self)
let ready = BehaviorRelay(value: "ready").doFinally {
    log.yield("disposed")
    log.finish()
}
let iteration = Task {
    for try await state in ready.values { log.yield(state) }
}
for await line in lines {
    print("log: \(line)")
    if line == "ready" { iteration.cancel() }
}
do { try await iteration.value } catch { print("the iteration has thrown \(error)") }

// Disposing the subscription cancels the task of the async function.
let (steps, record) = AsyncStream.makeStream(of: String.self)
let endless = Single<Int>.create {
    record.yield("started")
    for await _ in AsyncStream<Int>.makeStream().stream {}
    record.yield("cancelled: \(Task.isCancelled)")
    record.finish()
    return 0
}
let subscription = endless.subscribe(onSuccess: { print("never called with \($0)") })
for await step in steps {
    print("task: \(step)")
    if step == "started" { subscription.dispose() }
}

// Prints:
// received 1
// received 2
// received 3
// received 1
// caught offline
// single: 6
// maybe: 0
// completable: completed
// first: 4
// infallible: 6
// infallible: 7
// driver: ready
// newest: 3
// asObservable: [1, 2, 3]
// mapAsync: ["page 1", "page 2", "page 3"]
// flatMapAsync, sorted: ["page 1", "page 2", "page 3"]
// catch: ["page 1", "no page"]
// Single.create: page 4 and page 4
// log: ready
// log: disposed
// the iteration has thrown CancellationError()
// task: started
// task: cancelled: true
