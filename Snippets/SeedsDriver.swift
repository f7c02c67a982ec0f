// The samples of RxSwift's page about traits: Driver, ControlProperty and ControlEvent. A subject takes the place of a
// text field, and closures those of the server and of two views; the delays are in virtual time.

import RxEngine
import RxEngineTest

enum DataError: Error { case cantParseJSON }

let scheduler = TestScheduler(initialClock: 0, resolution: 0.1, simulateProcessingDelay: false)

@Sendable func fetchAutoCompleteItems(_ query: String) -> Observable<[String]> {
    Observable.just(["\(query) 1", "\(query) 2"])
        .delay(.milliseconds(200), scheduler: scheduler)
        .map { items in if query == "broken" { throw DataError.cantParseJSON } else { items } }
        .do(onSubscribe: { print("request for \(query)") })
}

/// A view of the program.
final class Label: ReactiveCompatible {
    var text = "" {
        didSet { print("label: \(text)") }
    }
}

extension Reactive where Base: Label {
    /// Sets the text on the main scheduler. An error cannot be bound.
    var text: Binder<String> { Binder(base) { label, text in label.text = text } }
}

/// What the user types into a text field.
let typed = PublishSubject<String>()

func type(_ queries: String...) {
    for (index, query) in queries.enumerated() {
        scheduler.scheduleAt(scheduler.clock + 10 * (index + 1)) { typed.onNext(query) }
    }
    scheduler.start()
}

print("-- A typical beginner's example: each view sends its own request, and an error ends everything")
let beginnersBag = DisposeBag()
let beginnersResults = typed.throttle(.milliseconds(300), scheduler: scheduler)
    .flatMapLatest { query in fetchAutoCompleteItems(query) }
beginnersResults.map { "\($0.count)" }
    .subscribe(onNext: { count in print("resultCount: \(count)") }, onError: { print("resultCount: X \($0)") })
    .disposed(by: beginnersBag)
beginnersResults
    .subscribe(
        onNext: { results in print("resultsTableView: \(results)") }, onError: { print("resultsTableView: X \($0)") }
    )
    .disposed(by: beginnersBag)
type("rx", "broken", "rx again")

// The scheduler of the test stands in for the main scheduler, on which drivers deliver.
SharingScheduler.mock(scheduler: scheduler) {
    let disposeBag = DisposeBag()

    print("-- Driver: one request for both views, and an error is an empty result")
    let written = PublishSubject<String>()
    let text = ControlProperty(values: typed, valueSink: written)
    let results = text.asDriver()
        .throttle(.milliseconds(300))
        .flatMapLatest { query in
            fetchAutoCompleteItems(query)
                .asDriver(onErrorJustReturn: [])
        }
    results
        .map { "\($0.count)" }
        .drive(onNext: { count in print("resultCount: \(count)") })
        .disposed(by: disposeBag)
    results
        .drive(onNext: { results in print("resultsTableView: \(results)") })
        .disposed(by: disposeBag)
    type("rx", "broken", "rx again")

    print("-- Binder: a property of a view as an observer")
    let label = Label()
    results.map { "\($0.count)" }
        .drive(label.rx.text)
        .disposed(by: disposeBag)
    type("bound")

    print("-- The parts of asDriver: the main scheduler, no error, one request for all")
    let safeSequence = fetchAutoCompleteItems("parts")
        .observe(on: scheduler)
        .catchAndReturn([])
        .share(replay: 1, scope: .whileConnected)
    safeSequence.subscribe(onNext: { items in print("first: \(items)") }).disposed(by: disposeBag)
    safeSequence.subscribe(onNext: { items in print("second: \(items)") }).disposed(by: disposeBag)
    scheduler.start()

    print("-- ControlProperty: what the program writes is not a query")
    written.subscribe(onNext: { text in print("text field: \(text)") }).disposed(by: disposeBag)
    text.onNext("written by the program")
    scheduler.start()

    print("-- ControlEvent: an event of the user, and no initial value")
    let itemSelected = ControlEvent(events: typed.map { $0.count })
    itemSelected.subscribe(onNext: { row in print("row \(row)") }).disposed(by: disposeBag)
    typed.onNext("abc")
}

// Prints:
// -- A typical beginner's example: each view sends its own request, and an error ends everything
// request for rx
// request for rx
// resultCount: 2
// resultsTableView: ["rx 1", "rx 2"]
// request for broken
// request for broken
// resultCount: X cantParseJSON
// resultsTableView: X cantParseJSON
// -- Driver: one request for both views, and an error is an empty result
// request for rx
// resultCount: 2
// resultsTableView: ["rx 1", "rx 2"]
// request for broken
// resultCount: 0
// resultsTableView: []
// request for rx again
// resultCount: 2
// resultsTableView: ["rx again 1", "rx again 2"]
// -- Binder: a property of a view as an observer
// label: 2
// request for bound
// resultCount: 2
// resultsTableView: ["bound 1", "bound 2"]
// label: 2
// -- The parts of asDriver: the main scheduler, no error, one request for all
// request for parts
// first: ["parts 1", "parts 2"]
// second: ["parts 1", "parts 2"]
// -- ControlProperty: what the program writes is not a query
// text field: written by the program
// -- ControlEvent: an event of the user, and no initial value
// row 3
