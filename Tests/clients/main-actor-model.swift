// modes: 5 6
// A program written for Swift 6: models on the main actor, `Sendable` services, an actor that stores. It compiles
// without warnings in either mode.
import RxEngine

struct Item: Sendable, Equatable {
    var id: Int
    var name: String
}

protocol ItemService: Sendable {
    func items(matching query: String) -> Single<[Item]>
}

struct LocalItems: ItemService {
    let items: [Item]

    func items(matching query: String) -> Single<[Item]> {
        .just(items.filter { query.isEmpty || $0.name.hasPrefix(query) })
    }
}

@MainActor
final class ItemsModel {
    let items: Driver<[Item]>
    let selected: Signal<Item>
    private(set) var shown = 0
    private let loading = BehaviorRelay(value: false)
    private let selection = PublishRelay<Int>()
    private let bag = DisposeBag()

    var isLoading: Driver<Bool> { loading.asDriver().distinctUntilChanged() }

    init(service: any ItemService, query: Driver<String>, refresh: Signal<Void>) {
        let queries = Driver.merge(query, refresh.withLatestFrom(query).asDriver(onErrorJustReturn: ""))
        items = queries.flatMapLatest { [loading] query in
            service.items(matching: query)
                .asObservable()
                .do(onSubscribe: { loading.accept(true) }, onDispose: { loading.accept(false) })
                .asDriver(onErrorJustReturn: [])
        }
        selected = selection.asSignal()
            .withLatestFrom(items) { id, items in items.first { $0.id == id } }
            .compactMap { $0 }
        items.drive(with: self) { model, items in model.shown = items.count }.disposed(by: bag)
    }

    func select(_ id: Int) {
        selection.accept(id)
    }
}

actor Store {
    nonisolated let changes = PublishRelay<Item>()
    private var items: [Int: Item] = [:]

    func put(_ item: Item) {
        items[item.id] = item
        changes.accept(item)
    }

    func item(_ id: Int) -> Item? {
        items[id]
    }

    nonisolated func names(of id: Int) -> Observable<String> {
        let present = Single<Item?>.create { await self.item(id) }
        return Observable.merge(changes.filter { $0.id == id }, present.asObservable().compactMap { $0 })
            .map(\.name)
    }
}

extension ObservableType where Element: Sendable {
    func retry(_ count: Int, on scheduler: any SchedulerType) -> Observable<Element> {
        retry { errors in
            errors.enumerated().flatMap { attempt, error -> Observable<Int> in
                attempt < count ? .timer(.milliseconds(1 << attempt), scheduler: scheduler) : .error(error)
            }
        }
    }
}

@MainActor
func show() async throws {
    let bag = DisposeBag()
    let query = BehaviorRelay(value: ""), refresh = PublishRelay<Void>()
    let model = ItemsModel(
        service: LocalItems(items: [Item(id: 1, name: "one"), Item(id: 2, name: "two")]),
        query: query.asDriver(), refresh: refresh.asSignal())
    var log: [String] = []
    model.items.drive(onNext: { items in log.append("\(items.map(\.name))") }).disposed(by: bag)
    model.isLoading.drive(onNext: { log.append($0 ? "loading" : "idle") }).disposed(by: bag)
    model.selected.emit(onNext: { log.append("selected \($0.name)") }).disposed(by: bag)
    query.accept("tw")
    model.select(2)
    model.select(1)
    refresh.accept(())
    for line in log { print(line) }
    print("shown:", model.shown)
    for await items in model.items.values {
        print("latest:", items.map(\.name))
        break
    }

    let store = Store()
    await store.put(Item(id: 1, name: "first"))
    for try await name in store.names(of: 1).values {
        print(name)
        if name == "second" { break }
        Task { await store.put(Item(id: 1, name: "second")) }
    }
    do {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        _ = try await Observable<Int>.error(RxError.noElements).retry(2, on: scheduler).asSingle().value
    } catch RxError.noElements {
        print("no elements")
    }
}

try await show()

// Prints:
// ["one", "two"]
// idle
// loading
// ["two"]
// idle
// selected two
// loading
// ["two"]
// idle
// shown: 1
// latest: ["two"]
// first
// second
// no elements
