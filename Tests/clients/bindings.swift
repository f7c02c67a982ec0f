// modes: 5 6
// A closure that is bound on the main thread may use the main actor's state, and objects without an actor may be bound
// to.
import RxEngine

final class Register: ReactiveCompatible {
    var value = ""
    var note: String?
}

@MainActor
final class Label: ReactiveCompatible {
    var text = ""
    var hint: String?
}

@MainActor
final class Screen {
    let title = Label()
    var last = ""
    let bag = DisposeBag()

    func show(_ titles: Observable<String>, _ driver: Driver<String>, _ signal: Signal<String>) {
        titles.bind(to: Binder(title) { title, text in title.text = text }).disposed(by: bag)
        titles.bind(to: Binder(self) { screen, text in screen.last = text }).disposed(by: bag)
        titles.bind(to: title.rx.text, title.rx.text).disposed(by: bag)
        titles.bind(to: title.rx.hint).disposed(by: bag)
        titles.bind(to: rows) { "row \($0)" }.disposed(by: bag)
        driver.drive(title.rx.text).disposed(by: bag)
        driver.drive(onNext: { [weak self] in self?.last = $0 }).disposed(by: bag)
        driver.drive(with: self, onNext: { screen, text in screen.title.text = text }).disposed(by: bag)
        driver.drive(rows) { "row \($0)" }.disposed(by: bag)
        signal.emit(onNext: { self.last = $0 }, onCompleted: { self.last = "" }).disposed(by: bag)
        signal.emit(with: self, onNext: { $0.last = $1 }).disposed(by: bag)
    }

    func rows(_ source: Observable<String>) -> (@escaping @Sendable (String) -> String) -> any Disposable {
        { title in source.map(title).subscribe() }
    }

    func follow(_ driver: Driver<String>, _ source: Observable<String>) async throws {
        for await text in driver.values { last = text }
        for try await text in source.values { last = text }
    }
}

func bind(_ source: Observable<String>, to register: Register, bag: DisposeBag) {
    source.bind(to: Binder(register) { register, value in register.value = value }).disposed(by: bag)
    source.bind(to: register.rx.value).disposed(by: bag)
    source.bind(to: register.rx.note).disposed(by: bag)
    source.bind(with: register) { register, value in register.value = value }.disposed(by: bag)
    let scheduler = CurrentThreadScheduler.instance
    source.bind(to: Binder(register, scheduler: scheduler) { register, value in register.value = value })
        .disposed(by: bag)
}

func lines(_ stream: AsyncStream<Int>) -> Observable<String> {
    stream.map { "\($0)" }.asObservable(priority: .high)
}
