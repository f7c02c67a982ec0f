// modes: 5
// A view model written for RxSwift with RxCocoa: input and output, a custom activity indicator and error tracker,
// drivers, signals and relays, classes that are not `Sendable`.
import Foundation
import RxEngine

struct Repository: Equatable {
    let id: Int
    let name: String
}

enum Failure: Error { case offline, refused(Int) }

class Service {
    func search(_ query: String) -> Observable<[Repository]> {
        if query == "down" { return .error(Failure.offline) }
        return .just([Repository(id: query.count, name: query)])
    }

    func star(_ repository: Repository) -> Completable {
        repository.id % 2 == 0 ? .empty() : .error(Failure.refused(repository.id))
    }
}

struct Token: Disposable {
    let end: () -> Void

    func dispose() { end() }
}

class ActivityIndicator: SharedSequenceConvertibleType {
    typealias Element = Bool
    typealias SharingStrategy = DriverSharingStrategy

    private let lock = NSRecursiveLock()
    private let count = BehaviorRelay(value: 0)
    private lazy var isActive = count.asDriver().map { $0 > 0 }.distinctUntilChanged()

    func asSharedSequence() -> Driver<Bool> { isActive }

    fileprivate func track<Source: ObservableConvertibleType>(_ source: Source) -> Observable<Source.Element> {
        return Observable.using({ () -> Token in
            self.add(1)
            return Token(end: self.end)
        }) { _ in source.asObservable() }
    }

    private func end() { add(-1) }

    private func add(_ change: Int) {
        lock.lock()
        count.accept(count.value + change)
        lock.unlock()
    }
}

class ErrorTracker: SharedSequenceConvertibleType {
    typealias Element = Error
    typealias SharingStrategy = DriverSharingStrategy

    private let errors = PublishSubject<Error>()

    func asSharedSequence() -> SharedSequence<DriverSharingStrategy, Error> {
        errors.asDriver(onErrorDriveWith: .empty())
    }

    fileprivate func track<Source: ObservableConvertibleType>(_ source: Source) -> Observable<Source.Element> {
        source.asObservable().do(onError: errors.onNext)
    }
}

extension ObservableConvertibleType {
    func trackActivity(_ indicator: ActivityIndicator) -> Observable<Element> { indicator.track(self) }
    func trackError(_ tracker: ErrorTracker) -> Observable<Element> { tracker.track(self) }
}

extension ObservableType {
    func asDriverThatEnds() -> Driver<Element> { asDriver { _ in .empty() } }
}

extension SharedSequenceConvertibleType where Element == Bool {
    func not() -> SharedSequence<SharingStrategy, Bool> { map { !$0 } }
}

protocol ViewModel {
    associatedtype Input
    associatedtype Output
    func transform(_ input: Input) -> Output
}

class SearchViewModel: ViewModel {
    struct Input {
        let query: Driver<String>
        let selection: Driver<Int>
        let star: Signal<Void>
    }

    struct Output {
        let rows: Driver<[String]>
        let title: Driver<String>
        let starred: Signal<String>
        let isBusy: Driver<Bool>
        let canSearch: Driver<Bool>
        let error: Driver<Error>
    }

    let history = BehaviorRelay<[String]>(value: [])
    private let lastQuery = BehaviorRelay<String?>(value: nil)
    private let service: Service
    private let bag = DisposeBag()

    init(service: Service) {
        self.service = service
        lastQuery
            .compactMap { $0 }
            .withLatestFrom(history) { ($0, $1) }
            .map { query, history in history + [query] }
            .bind(to: history)
            .disposed(by: bag)
    }

    func transform(_ input: Input) -> Output {
        let (activity, errors) = (ActivityIndicator(), ErrorTracker())
        let query = input.query.map { $0.trimmingCharacters(in: .whitespaces) }.distinctUntilChanged()
        query.filter { !$0.isEmpty }
            .drive(onNext: { [weak self] in self?.lastQuery.accept($0) })
            .disposed(by: bag)

        let found = query.flatMapLatest { [service] query -> Driver<[Repository]> in
            guard !query.isEmpty else { return .just([]) }
            return service.search(query).trackActivity(activity).trackError(errors).asDriverThatEnds()
        }
        let selected = input.selection.withLatestFrom(found) { index, repositories in repositories[index] }
        // A signal reads the driver's latest element.
        let starred = input.star.withLatestFrom(selected)
            .asObservable()
            .flatMapFirst { [unowned self] repository in
                self.service.star(repository)
                    .andThen(Observable.just("starred \(repository.name)"))
                    .trackError(errors)
                    .catchAndReturn("did not star \(repository.name)")
            }
            .asSignal(onErrorSignalWith: .empty())
        return Output(
            rows: found.map { $0.map(\.name) },
            title: Driver.merge(found.map { "\($0.count) found" }, selected.map { $0.name }).startWith("search"),
            starred: starred,
            isBusy: activity.asDriver(),
            canSearch: Driver.combineLatest(query.map { !$0.isEmpty }, activity.asDriver().not()) { $0 && $1 }
                .distinctUntilChanged(),
            error: errors.asDriver())
    }
}

func show() {
    let bag = DisposeBag()
    let viewModel = SearchViewModel(service: Service())
    let query = PublishSubject<String>(), selection = PublishSubject<Int>(), star = PublishRelay<Void>()
    let output = viewModel.transform(
        .init(
            query: query.asDriver(onErrorJustReturn: ""), selection: selection.asDriver(onErrorDriveWith: .empty()),
            star: star.asSignal()))
    output.isBusy.drive(onNext: { print("busy", $0) }).disposed(by: bag)
    output.rows.drive { print("rows", $0) }.disposed(by: bag)
    output.title.drive(onNext: { print("title", $0) }).disposed(by: bag)
    output.starred.emit { print($0) }.disposed(by: bag)
    output.error.drive(onNext: { print("error", $0) }).disposed(by: bag)
    output.canSearch.drive(onNext: { print("can search", $0) }).disposed(by: bag)

    query.onNext("rx")
    query.onNext(" rx ")
    selection.onNext(0)
    star.accept(())
    query.onNext("down")
    query.onNext("swift")
    selection.onNext(0)
    star.accept(())
    print(viewModel.history.value)
}

show()

// Prints:
// busy false
// title search
// busy true
// rows ["rx"]
// title 1 found
// busy false
// can search true
// title rx
// starred rx
// busy true
// can search false
// error offline
// busy false
// can search true
// busy true
// can search false
// rows ["swift"]
// title 1 found
// busy false
// can search true
// title swift
// error refused(5)
// did not star swift
// ["rx", "down", "swift"]
