// The samples of RxSwift's Getting Started about disposing. After `dispose` on the scheduler that the events are observed
// on, nothing is printed. This is checked many times.

import Dispatch
import Foundation
import RxEngine

let scheduler = SerialDispatchQueueScheduler(qos: .default)

/// The latest element, and whether the subscription was disposed when it arrived.
final class Log: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    private var isOver = false
    private var late = 0

    func add() {
        lock.withLock { if isOver { late += 1 } else { count += 1 } }
    }

    func end() { lock.withLock { isOver = true } }

    var elements: (before: Int, after: Int) { lock.withLock { (count, late) } }
}

print("-- dispose on the serial scheduler that the events are observed on")
var lateCount = 0
for _ in 0..<20 {
    let log = Log()
    let done = DispatchSemaphore(value: 0)
    let observed = SerialDispatchQueueScheduler(qos: .default)
    let subscription = Observable<Int>.interval(.milliseconds(1), scheduler: scheduler)
        .observe(on: observed)
        .subscribe { _ in log.add() }
    while log.elements.before < 3 { Thread.sleep(forTimeInterval: 0.001) }
    _ = observed.schedule(()) {
        subscription.dispose()
        log.end()
        done.signal()
        return Disposables.create()
    }
    done.wait()
    // Elements that the interval has emitted meanwhile do not arrive.
    Thread.sleep(forTimeInterval: 0.005)
    lateCount += log.elements.after
}
print("printed after dispose: \(lateCount)")

print("-- dispose on the main thread, where the events are observed")
let log = Log()
let subscription = Observable<Int>.interval(.milliseconds(1), scheduler: scheduler)
    .observe(on: MainScheduler.instance)
    .subscribe { _ in log.add() }
while log.elements.before < 3 { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.002)) }
subscription.dispose()
log.end()
RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
print("printed after dispose: \(log.elements.after)")

// Prints:
// -- dispose on the serial scheduler that the events are observed on
// printed after dispose: 0
// -- dispose on the main thread, where the events are observed
// printed after dispose: 0
