// The sample of RxSwift's Getting Started about sharing in the UI layer: search results that all observers share. The
// clock is virtual, so that this prints the same every time, and at once.

import RxEngine
import RxEngineTest

let scheduler = TestScheduler(initialClock: 0, resolution: 0.1, simulateProcessingDelay: false)

struct Unreachable: Error {}

enum API {
    /// A response takes half a second. The server cannot be reached for "offline".
    static func getSearchResults(_ query: String) -> Observable<[String]> {
        Observable.deferred {
            print("request for \(query)")
            return query == "offline" ? .error(Unreachable()) : .just(["\(query) 1", "\(query) 2"])
        }
        .delaySubscription(.milliseconds(500), scheduler: scheduler)
    }
}

let searchText = PublishSubject<String>()

let searchResults =
    searchText
    .throttle(.milliseconds(300), scheduler: scheduler)
    .distinctUntilChanged()
    .flatMapLatest { query in
        API.getSearchResults(query)
            .retry(3)
            .startWith([])  // clears results on new search term
            .catchAndReturn([])
    }
    .share(replay: 1)  // <- notice the `share` operator

let bag = DisposeBag()
searchResults.subscribe(onNext: { print("table: \($0)") }).disposed(by: bag)
searchResults.map(\.count).subscribe(onNext: { print("label: \($0)") }).disposed(by: bag)

for (time, text) in [(0, "r"), (1, "rx"), (2, "rxw"), (20, "offline"), (60, "rxw")] {
    scheduler.scheduleAt(time) { searchText.onNext(text) }
}
scheduler.start()

// Prints:
// table: []
// label: 0
// table: []
// label: 0
// request for rxw
// table: ["rxw 1", "rxw 2"]
// label: 2
// table: []
// label: 0
// request for offline
// request for offline
// request for offline
// table: []
// label: 0
// table: []
// label: 0
// request for rxw
// table: ["rxw 1", "rxw 2"]
// label: 2
