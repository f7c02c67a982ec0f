// The live subscriptions, what leaks, and events that have nowhere to go.

import RxEngine

Resources.recording = .elements
let orders = PublishSubject<Int>()
let large = orders.checkpoint("orders").filter { $0 > 10 }.share()
let bag = DisposeBag(disposing: large.subscribe(), large.map { $0 * 2 }.subscribe())
for order in [5, 20, 30] { orders.onNext(order) }
print(Resources.graph().text(withTimes: false))
Resources.recording = .off

// A subscription that is never disposed.
let leaks = Resources.trackLeaks {
    _ = orders.scan(0) { $0 + $1 }.checkpoint("totals").subscribe()
}
for leak in leaks { print("\(leak.name), checkpoint \(leak.checkpoint ?? "none")") }

// What reaches no observer.
Hooks.onNextDropped = { print("dropped: \($0)") }
Hooks.onErrorDropped = { print("dropped: \($0)") }
Hooks.onOperatorError = { operation, error in
    print("\(operation) has thrown: \(error)")
    return error
}

struct Late: Error {}

_ = Observable<Int>.create { observer in
    observer.onCompleted()
    observer.onNext(1)
    observer.onError(Late())
    return Disposables.create()
}.subscribe()
_ = Observable.of(1).map { _ -> Int in throw Late() }.subscribe(onError: { _ in })
withExtendedLifetime(bag) {}

// Prints:
// subscription, 2 elements, owner DisposeBag
//   share #2
//     filter, 2 elements
//       checkpoint, "orders", 3 elements
//         publishSubject
// subscription, 2 elements, owner DisposeBag
//   map, 2 elements
//     share #2, see above
// subscription, checkpoint totals
// checkpoint, checkpoint totals
// scan, checkpoint totals
// dropped: 1
// dropped: Late()
// map has thrown: Late()
