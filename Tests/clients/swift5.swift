// modes: 5
// A program written before Swift's checks for data races compiles unchanged.
import RxEngine

func myJust<E>(_ element: E) -> Observable<E> {
    return Observable.create { observer in
        observer.on(.next(element))
        observer.on(.completed)
        return Disposables.create()
    }
}

extension ObservableType {
    func myMap<R>(transform: @escaping (Element) -> R) -> Observable<R> {
        return Observable.create { observer in
            return self.subscribe { event in
                switch event {
                case .next(let value): observer.on(.next(transform(value)))
                case .error(let error): observer.on(.error(error))
                case .completed: observer.on(.completed)
                }
            }
        }
    }
}

class ViewModel {
    var title = ""
    var count = 0
    let bag = DisposeBag()

    func bind(_ titles: Observable<String>) {
        var seen = 0
        titles
            .map { [weak self] in "\(self?.count ?? 0) \($0)" }
            .filter { _ in self.count < 10 }
            .subscribe(onNext: { [unowned self] title in
                self.title = title
                self.count += 1
                seen += 1
            })
            .disposed(by: bag)
        print(seen)
    }
}

@MainActor
class Screen {
    var lines: [String] = []
    let bag = DisposeBag()

    func show(_ titles: Observable<String>) {
        titles.subscribe(onNext: { title in
            MainActor.assumeIsolated { self.lines.append(title) }
        }).disposed(by: bag)
    }
}
