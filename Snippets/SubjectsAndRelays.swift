// Subjects and relays: sequences that a program emits to itself. They differ in what a late subscriber receives.

import RxEngine

struct Failure: Error {}

/// Subscribes, and prints each event in a line.
func subscribe(_ name: String, to sequence: Observable<Int>) -> any Disposable {
    sequence.subscribe { event in print("  \(name): \(event)") }
}

/// Emits 1 and 2 to one subscriber, adds a second one, emits 3 and completes.
func run(_ title: String, _ subject: some ObserverType<Int> & ObservableType<Int>) {
    print(title)
    let early = subscribe("early", to: subject.asObservable())
    subject.onNext(1)
    subject.onNext(2)
    let late = subscribe("late", to: subject.asObservable())
    subject.onNext(3)
    subject.onCompleted()
    _ = subscribe("after the end", to: subject.asObservable())
    early.dispose()
    late.dispose()
}
run("PublishSubject: only what is emitted from now on", PublishSubject<Int>())
run("BehaviorSubject: first the latest element", BehaviorSubject(value: 0))
run("ReplaySubject: first the last elements, also after the end", ReplaySubject<Int>.create(bufferSize: 2))
run("AsyncSubject: only the last element, at the end", AsyncSubject<Int>())

// The latest element, outside the sequence. After an error, reading it throws that error.
print("value")
let subject = BehaviorSubject(value: 1)
print("  \(try subject.value())")
subject.onError(Failure())
do { _ = try subject.value() } catch { print("  \(error)") }

// Relays neither fail nor complete: `accept` is their only event.
print("relays")
let publish = PublishRelay<Int>()
let behavior = BehaviorRelay(value: 0)
let replay = ReplayRelay<Int>.create(bufferSize: 2)
let inputs = PublishSubject<Int>()
let bindings = [inputs.bind(to: publish), inputs.bind(to: behavior), inputs.bind(to: replay)]
inputs.onNext(1)
inputs.onNext(2)
let subscriptions = [
    subscribe("publish", to: publish), subscribe("behavior", to: behavior), subscribe("replay", to: replay),
]
publish.accept(3)
print("  value of the behavior relay: \(behavior.value)")

// Disposing ends a subscription, and a bag ends those in it when it is released.
print("disposal")
for subscription in subscriptions { subscription.dispose() }
for binding in bindings { binding.dispose() }
var bag = DisposeBag()
subscribe("in the bag", to: publish).disposed(by: bag)
publish.accept(4)
bag = DisposeBag()
publish.accept(5)
print("  observed: \(inputs.hasObservers)")

// An element that is emitted inside an event is delivered inside it, or after it.
for (title, isSerialized) in [("inside an event", false), ("inside an event, serialized", true)] {
    print(title)
    let numbers = PublishSubject<Int>()
    let sequence = isSerialized ? numbers.serialized() : numbers.asObservable()
    let subscription = sequence.subscribe(onNext: { number in
        print("  begin \(number)")
        if number == 1 { numbers.onNext(2) }
        print("  end \(number)")
    })
    numbers.onNext(1)
    subscription.dispose()
}

// Prints:
// PublishSubject: only what is emitted from now on
//   early: next(1)
//   early: next(2)
//   early: next(3)
//   late: next(3)
//   early: completed
//   late: completed
//   after the end: completed
// BehaviorSubject: first the latest element
//   early: next(0)
//   early: next(1)
//   early: next(2)
//   late: next(2)
//   early: next(3)
//   late: next(3)
//   early: completed
//   late: completed
//   after the end: completed
// ReplaySubject: first the last elements, also after the end
//   early: next(1)
//   early: next(2)
//   late: next(1)
//   late: next(2)
//   early: next(3)
//   late: next(3)
//   early: completed
//   late: completed
//   after the end: next(2)
//   after the end: next(3)
//   after the end: completed
// AsyncSubject: only the last element, at the end
//   early: next(3)
//   late: next(3)
//   early: completed
//   late: completed
//   after the end: next(3)
//   after the end: completed
// value
//   1
//   Failure()
// relays
//   behavior: next(2)
//   replay: next(1)
//   replay: next(2)
//   publish: next(3)
//   value of the behavior relay: 2
// disposal
//   in the bag: next(4)
//   observed: false
// inside an event
//   begin 1
//   begin 2
//   end 2
//   end 1
// inside an event, serialized
//   begin 1
//   end 1
//   begin 2
//   end 2
