// Operators that change the thread, order the events of several threads, or bound what is queued between two threads.

import Dispatch
import RxEngine
import RxEngineBlocking

let nameKey = DispatchSpecificKey<String>()

/// Makes a scheduler of a serial queue, whose name `place` returns on it.
func makeScheduler(_ name: String) -> SerialDispatchQueueScheduler {
    SerialDispatchQueueScheduler(
        internalSerialQueueName: name, serialQueueConfiguration: { $0.setSpecific(key: nameKey, value: name) })
}

/// The name of the queue that the caller runs on.
@Sendable func place() -> String { DispatchQueue.getSpecific(key: nameKey) ?? "the thread of the program" }

/// Waits until the sequence has ended, and prints its elements.
func show(_ title: String, _ sequence: Observable<String>) throws {
    print(title)
    for element in try sequence.toBlocking(timeout: 60).toArray() { print("  \(element)") }
}

let (reader, worker) = (makeScheduler("reader"), makeScheduler("worker"))
let source = Observable<String>.create { observer in
    observer.onNext("emitted on \(place())")
    observer.onCompleted()
    return Disposables.create()
}

// Which thread calls the operators below, and which one the source.
try show("neither", source.map { "\($0), mapped on \(place())" })
try show("observe(on:)", source.observe(on: worker).map { "\($0), mapped on \(place())" })
try show("subscribe(on:)", source.subscribe(on: reader).map { "\($0), mapped on \(place())" })
try show("both", source.subscribe(on: reader).observe(on: worker).map { "\($0), mapped on \(place())" })

// Work side by side on a concurrent queue. The observer is still called by one thread at a time.
let concurrent = ConcurrentDispatchQueueScheduler(qos: .default)
let squares = Observable.range(start: 1, count: 4).flatMap { number in
    Observable.just(number).observe(on: concurrent).map { $0 * $0 }
}
try show("concurrent", squares.toArray().asObservable().map { "squares \($0.sorted())" })

// A source that emits on several threads at once breaks the rules of Rx; this operator orders its events.
let unruly = Observable<Int>.create { observer in
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for number in 1...100 { observer.onNext(number) }
    }
    observer.onCompleted()
    return Disposables.create()
}
try show("serialized", unruly.serialized().reduce(0) { $0 + $1 }.map { "sum \($0)" })

// A queue with a bound between a fast thread and a slow one: the element 1 is being delivered while the others arrive.
func emit(upTo last: Int, _ bounded: (PublishSubject<Int>) -> Observable<Int>) {
    let readings = PublishSubject<Int>()
    let (isBusy, goOn, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let subscription = bounded(readings).subscribe(
        onNext: { number in
            print("  delivered \(number)")
            guard number == 1 else { return }
            isBusy.signal()
            goOn.wait()
        }, onCompleted: { isDone.signal() })
    readings.onNext(1)
    isBusy.wait()
    for number in 2...last { readings.onNext(number) }
    readings.onCompleted()
    goOn.signal()
    isDone.wait()
    subscription.dispose()
}
for rule in OverflowRule.allCases where rule != .error {
    print("observe(on:bufferSize: 2, overflow: .\(rule))")
    let drops = DropCount()
    emit(upTo: 5) { $0.observe(on: worker, bufferSize: 2, overflow: rule, drops: drops) }
    print("  dropped \(drops.value)")
}

// The same bound, with the elements that are dropped: of those that arrive during a delivery, only the latest is kept.
print("onBackpressure(.latest)")
emit(upTo: 4) { $0.onBackpressure(.latest, on: worker, onDropped: { print("  dropped \($0)") }) }

// The scheduler of the current thread runs an action that is scheduled in another one after it, not inside it.
print("CurrentThreadScheduler")
_ = CurrentThreadScheduler.instance.schedule("outer") { outer in
    print("  begin \(outer)")
    let inner = CurrentThreadScheduler.instance.schedule("inner") { inner in
        print("  run \(inner)")
        return Disposables.create()
    }
    print("  end \(outer)")
    return inner
}

// Prints:
// neither
//   emitted on the thread of the program, mapped on the thread of the program
// observe(on:)
//   emitted on the thread of the program, mapped on worker
// subscribe(on:)
//   emitted on reader, mapped on reader
// both
//   emitted on reader, mapped on worker
// concurrent
//   squares [1, 4, 9, 16]
// serialized
//   sum 20200
// observe(on:bufferSize: 2, overflow: .dropOldest)
//   delivered 1
//   delivered 4
//   delivered 5
//   dropped 2
// observe(on:bufferSize: 2, overflow: .dropNewest)
//   delivered 1
//   delivered 2
//   delivered 3
//   dropped 2
// observe(on:bufferSize: 2, overflow: .latest)
//   delivered 1
//   delivered 4
//   delivered 5
//   dropped 2
// onBackpressure(.latest)
//   delivered 1
//   dropped 2
//   dropped 3
//   delivered 4
// CurrentThreadScheduler
//   begin outer
//   end outer
//   run inner
