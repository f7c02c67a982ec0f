// Operators that share one run of a sequence among several subscribers.

import RxEngine

/// Emits to all observers of `values`, and prints each time that it is subscribed to and disposed.
func source(of values: PublishSubject<Int>) -> Observable<Int> {
    values.do(onSubscribe: { print("  started") }, onDispose: { print("  stopped") })
}

/// Subscribes, and prints the elements with the name of the subscriber.
func subscribe(_ name: String, to sequence: some ObservableType<Int>) -> any Disposable {
    sequence.subscribe(onNext: { print("  \(name) received \($0)") }, onCompleted: { print("  \(name) completed") })
}

/// Emits 1, adds a subscriber, emits 2, and unsubscribes both.
func run(_ title: String, _ share: (Observable<Int>) -> Observable<Int>) {
    print(title)
    let values = PublishSubject<Int>()
    let shared = share(source(of: values))
    let first = subscribe("a", to: shared)
    values.onNext(1)
    let second = subscribe("b", to: shared)
    values.onNext(2)
    first.dispose()
    second.dispose()
}

// Each subscriber has its own run, or all share one, which ends with the last subscriber.
run("not shared") { $0 }
run("share()") { $0.share() }
run("share(replay: 1)") { $0.share(replay: 1) }

// `forever` keeps the replayed elements after the end.
let numbers = Observable.of(1, 2).do(onSubscribe: { print("  started") })
for scope in [SubjectLifetimeScope.whileConnected, .forever] {
    print("share(replay: 1, scope: .\(scope))")
    let shared = numbers.share(replay: 1, scope: scope)
    _ = subscribe("a", to: shared)
    _ = subscribe("b", to: shared)
}

// With a grace period the run outlives its last subscriber. Time is virtual here.
print("share(replay: 1, scope: .whileConnected(grace:scheduler:))")
let clock = HistoricalScheduler()
let ticks = PublishSubject<Int>()
let kept = source(of: ticks).share(replay: 1, scope: .whileConnected(grace: .seconds(5), scheduler: clock))
let guest = subscribe("a", to: kept)
ticks.onNext(1)
guest.dispose()
clock.advanceTo(clock.clock.addingTimeInterval(4))
subscribe("b", to: kept).dispose()
clock.start()

// A run that starts with `connect` and stops when the connection is disposed.
print("publish, connect")
let values = PublishSubject<Int>()
let published = source(of: values).publish()
let subscriber = subscribe("a", to: published)
values.onNext(1)
let connection = published.connect()
values.onNext(2)
connection.dispose()
values.onNext(3)
subscriber.dispose()

// The same as share(replay: 2), in two steps; and a replay of everything.
print("replay, refCount")
let replayed = source(of: values).replay(2).refCount()
let early = subscribe("a", to: replayed)
for value in 4...6 { values.onNext(value) }
let late = subscribe("b", to: replayed)
early.dispose()
late.dispose()

print("replayAll")
let all = source(of: values).replayAll()
let allConnection = all.connect()
for value in 1...2 { values.onNext(value) }
subscribe("a", to: all).dispose()
allConnection.dispose()

// Through another kind of subject, and for a closure that uses the sequence twice.
print("multicast")
let behavior = source(of: values).multicast(BehaviorSubject(value: 0))
let behaviorSubscriber = subscribe("a", to: behavior)
let behaviorConnection = behavior.connect()
values.onNext(7)
behaviorConnection.dispose()
behaviorSubscriber.dispose()

print("multicast(_:selector:)")
let sums = numbers.multicast({ PublishSubject<Int>() }, selector: { Observable.zip($0, $0.skip(1)) { $0 + $1 } })
_ = subscribe("a", to: sums)

// Two sequences of one: the elements that satisfy a condition, and the others.
print("partition")
let (even, odd) = source(of: values).partition { $0 % 2 == 0 }
let both = [subscribe("even", to: even), subscribe("odd", to: odd)]
values.onNext(8)
values.onNext(9)
for subscription in both { subscription.dispose() }

// Prints:
// not shared
//   started
//   a received 1
//   started
//   a received 2
//   b received 2
//   stopped
//   stopped
// share()
//   started
//   a received 1
//   a received 2
//   b received 2
//   stopped
// share(replay: 1)
//   started
//   a received 1
//   b received 1
//   a received 2
//   b received 2
//   stopped
// share(replay: 1, scope: .whileConnected)
//   started
//   a received 1
//   a received 2
//   a completed
//   started
//   b received 1
//   b received 2
//   b completed
// share(replay: 1, scope: .forever)
//   started
//   a received 1
//   a received 2
//   a completed
//   b received 2
//   b completed
// share(replay: 1, scope: .whileConnected(grace:scheduler:))
//   started
//   a received 1
//   b received 1
//   stopped
// publish, connect
//   started
//   a received 2
//   stopped
// replay, refCount
//   started
//   a received 4
//   a received 5
//   a received 6
//   b received 5
//   b received 6
//   stopped
// replayAll
//   started
//   a received 1
//   a received 2
//   stopped
// multicast
//   a received 0
//   started
//   a received 7
//   stopped
// multicast(_:selector:)
//   started
//   a received 3
//   a completed
// partition
//   started
//   even received 8
//   odd received 9
//   stopped
