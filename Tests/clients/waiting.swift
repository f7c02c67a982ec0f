// modes: 5 6
// Waiting on the main thread, which runs the main queue meanwhile: sequences on the main scheduler continue.
import Dispatch
import Foundation
import RxEngine
import RxEngineBlocking

func wait() throws {
    let elsewhere = ConcurrentDispatchQueueScheduler(qos: .default)
    let main = MainScheduler.instance

    print(try Observable.of(1, 2, 3).observe(on: elsewhere).map { $0 * 10 }.observe(on: main).toBlocking().toArray())
    print(try Observable.just("later").delay(.milliseconds(5), scheduler: main).toBlocking(timeout: 60).single())
    print(try BehaviorRelay(value: 1).asDriver().map { $0 + 1 }.toBlocking(timeout: 60).first() ?? 0)

    // A wait inside the work of another wait: the outer wait's source is ready first.
    let inner = Observable.just("inner").delay(.milliseconds(20), scheduler: elsewhere)
    let outer = Observable.just("outer").delay(.milliseconds(10), scheduler: elsewhere)
    DispatchQueue.main.async {
        print((try? inner.toBlocking(timeout: 60).single()) ?? "never")
    }
    print(try outer.toBlocking(timeout: 60).single())
    let timer = Timer(timeInterval: 0.001, repeats: false) { _ in
        print((try? inner.toBlocking(timeout: 60).single()) ?? "never")
    }
    RunLoop.main.add(timer, forMode: .default)
    print(try outer.toBlocking(timeout: 60).single())

    do {
        print(try Observable<Int>.never().observe(on: main).toBlocking(timeout: 0.01).first() ?? 0)
    } catch RxError.timeout {
        print("timeout")
    }
}

try wait()

// Prints:
// [10, 20, 30]
// later
// 2
// inner
// outer
// inner
// outer
// timeout
