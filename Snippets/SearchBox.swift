// A search box: input is debounced, requested once, and a newer query cancels an older one. The clock is virtual, so
// that this prints the same every time, and at once.

import RxEngine
import RxEngineTest

let scheduler = TestScheduler(initialClock: 0, resolution: 0.1, simulateProcessingDelay: false)
let typed = PublishSubject<String>()

/// A response takes half a second.
@Sendable func search(_ query: String) -> Observable<[String]> {
    Observable.just(["\(query) 1", "\(query) 2"])
        .delay(.milliseconds(500), scheduler: scheduler)
        .do(onSubscribe: { print("asked for \(query)") }, onDispose: { print("done with \(query)") })
}

let results =
    typed
    .debounce(.milliseconds(300), scheduler: scheduler)
    .distinctUntilChanged()
    .flatMapLatest { search($0).retry(3).catchAndReturn([]) }
    .share(replay: 1)

let bag = DisposeBag()
results.subscribe(onNext: { print("found \($0)") }).disposed(by: bag)

for (time, text) in [(0, "r"), (1, "rx"), (5, "rxw"), (9, "rxwa"), (10, "rxw")] {
    scheduler.scheduleAt(time) { typed.onNext(text) }
}
scheduler.start()

// Prints:
// asked for rx
// done with rx
// asked for rxw
// found ["rxw 1", "rxw 2"]
// done with rxw
