// The samples of RxSwift's Getting Started about operators of one's own, debugging and compile errors, in virtual time.

import RxEngine
import RxEngineTest

let scheduler = TestScheduler(initialClock: 0, resolution: 0.1, simulateProcessingDelay: false)

/// Ticks every tenth of a second of virtual time.
let myInterval = Observable<Int>.interval(.milliseconds(100), scheduler: scheduler)
    .do(onSubscribe: { print("Subscribed") }, onDispose: { print("Disposed") })

/// Subscribes for half a second.
func run(_ title: String, _ sequence: Observable<some Any>) {
    print("-- \(title)")
    let subscription = sequence.subscribe(onNext: { element in print(element) })
    scheduler.advanceTo(scheduler.clock + 5)
    subscription.dispose()
}

extension ObservableType {
    func myMap<R>(transform: @escaping @Sendable (Element) -> R) -> Observable<R> {
        let source = asObservable()
        return Observable.create { observer in
            let subscription = source.subscribe { e in
                switch e {
                case .next(let value):
                    let result = transform(value)
                    observer.on(.next(result))
                case .error(let error):
                    observer.on(.error(error))
                case .completed:
                    observer.on(.completed)
                }
            }
            return subscription
        }
    }

    func myDebug(identifier: String) -> Observable<Element> {
        let source = asObservable()
        return Observable.create { observer in
            print("subscribed \(identifier)")
            let subscription = source.subscribe { e in
                print("event \(identifier) \(e)")
                switch e {
                case .next(let value): observer.on(.next(value))
                case .error(let error): observer.on(.error(error))
                case .completed: observer.on(.completed)
                }
            }
            return Disposables.create {
                print("disposing \(identifier)")
                subscription.dispose()
            }
        }
    }
}

run("myMap", myInterval.myMap { e in "This is simply \(e)" })

Hooks.debugFormat = .classic
run("debug", myInterval.debug("my probe").map { e in "This is simply \(e)" })

run("myDebug", myInterval.take(2).myDebug(identifier: "it"))

// The types that a compiler may ask for, one step at a time.
struct JSON: Sendable, CustomStringConvertible {
    let description: String
}
struct Failure: Error {}

@Sendable func loadFlickrFeed(_ word: String) -> Observable<JSON> {
    word.contains("broken") ? .error(Failure()) : .just(JSON(description: "images of \(word)"))
}
let word = Observable.of("important things", "trifles", "important, but broken")
let images =
    word
    .filter { (s: String) -> Bool in s.contains("important") }
    .flatMap { (word: String) -> Observable<JSON> in
        loadFlickrFeed(word)
            .catch { (error: any Error) -> Observable<JSON> in
                .just(JSON(description: "none: \(error)"))
            }
    }
run("annotated types", images)

// Prints:
// -- myMap
// Subscribed
// This is simply 0
// This is simply 1
// This is simply 2
// This is simply 3
// This is simply 4
// Disposed
// -- debug
// [my probe] subscribed
// Subscribed
// [my probe] -> Event next(0)
// This is simply 0
// [my probe] -> Event next(1)
// This is simply 1
// [my probe] -> Event next(2)
// This is simply 2
// [my probe] -> Event next(3)
// This is simply 3
// [my probe] -> Event next(4)
// This is simply 4
// [my probe] dispose
// Disposed
// -- myDebug
// subscribed it
// Subscribed
// event it next(0)
// 0
// event it next(1)
// 1
// event it completed
// disposing it
// Disposed
// -- annotated types
// images of important things
// none: Failure()
