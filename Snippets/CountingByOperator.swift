// The live objects by operator: its observables, and its links in running chains.

import RxEngine

let numbers = PublishSubject<Int>()
let even = numbers.filter { $0 % 2 == 0 }
let subscriptions = (1...3).map { factor in even.map { $0 * factor }.subscribe(onNext: { print($0) }) }

numbers.onNext(4)

func report(_ operation: Operator) {
    let counts = Resources.counts(of: operation)
    print("\(operation): \(counts.observables) observables, \(counts.runs) running")
}

report(.filter)
report(.map)
subscriptions.forEach { $0.dispose() }
report(.filter)
report(.map)

// Prints:
// 4
// 8
// 12
// filter: 1 observables, 3 running
// map: 0 observables, 3 running
// filter: 1 observables, 0 running
// map: 0 observables, 0 running
