// modes: 5
// In Swift 5 mode bindings may use any state, and asynchronous sequences carry values that are not `Sendable`.
import RxEngine

class Person {
    var name = ""
}

class People: AsyncSequence {
    typealias Element = Person

    struct AsyncIterator: AsyncIteratorProtocol {
        mutating func next() async -> Person? { nil }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}

class View: ReactiveCompatible {
    var text = ""
    var count = 0
    let bag = DisposeBag()

    func show(_ people: Observable<Person>) {
        var seen = 0
        let count: (Person) -> Void = { _ in seen += 1 }
        people.bind(onNext: count).disposed(by: bag)
        people.asDriver(onErrorDriveWith: .empty()).drive(onNext: count).disposed(by: bag)
        people.asSignal(onErrorSignalWith: .empty()).emit(onNext: { self.text = $0.name }).disposed(by: bag)
        people.map { $0.name }.bind(
            to: Binder(self) { view, text in
                seen += 1
                view.text = text
            }
        ).disposed(by: bag)
        people.map { $0.name }.bind(to: rx.text).disposed(by: bag)
        People().asObservable().subscribe(onNext: { $0.name = "" }).disposed(by: bag)
        people.observeOn(MainScheduler.instance)  // warning 5: 'observeOn' is deprecated
            .subscribe().disposed(by: bag)
        Task { for try await person in people.values { self.text = person.name } }
    }
}
