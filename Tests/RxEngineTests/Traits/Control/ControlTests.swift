import Dispatch
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct ControlTests {
    @MainActor @Test func controlPropertyEmitsValueAndUserInput() {
        let log = Cell<[String]>([])
        var field: Field? = Field("a")
        _ = field?.rx.value.orEmpty.subscribe(
            onNext: { log.append($0) }, onCompleted: { log.append("end") }
        )
        field?.type("b")
        field?.text = "set by the program"
        field?.type(nil)
        #expect(log.value == ["a", "b", ""])
        field = nil
        #expect(log.value == ["a", "b", "", "end"])
    }

    @MainActor @Test func bindingToControlPropertySetsIt() {
        let field = Field("a")
        let log = Cell<[String?]>([])
        let source = PublishSubject<String>()
        let bag = DisposeBag()
        field.rx.value.subscribe(onNext: { log.append($0) }).disposed(by: bag)
        source.bind(to: field.rx.value.orEmpty).disposed(by: bag)
        source.bind(to: field.rx.value).disposed(by: bag)
        source.onNext("b")
        #expect(field.text == "b")
        source.onCompleted()
        // What the program sets is not emitted.
        #expect(log.value == ["a"])
    }

    @MainActor @Test func changedSkipsInitialValue() {
        let field = Field("a")
        let log = Cell<[String?]>([])
        let subscription = field.rx.value.changed.subscribe(onNext: { log.append($0) })
        field.type("b")
        #expect(log.value == ["b"])
        subscription.dispose()
    }

    @MainActor @Test func controlEventHasNoInitialValueAndEndsWithControl() {
        let log = Cell<[String]>([])
        var field: Field? = Field("a")
        _ = field?.rx.edited.subscribe(onNext: { log.append("edited") }, onCompleted: { log.append("end") })
        #expect(log.value == [])
        field?.type("b")
        field = nil
        #expect(log.value == ["edited", "end"])
    }

    @MainActor @Test func controlsConvertToOtherTraits() {
        let field = Field("a")
        let log = Cell<[String]>([])
        let bag = DisposeBag()
        let (property, event) = (field.rx.value.asControlProperty(), field.rx.edited.asControlEvent())
        property.asDriver().drive(onNext: { log.append("property \($0 ?? "")") }).disposed(by: bag)
        property.asObservable().subscribe(onNext: { log.append("values \($0 ?? "")") }).disposed(by: bag)
        event.asDriver().drive(onNext: { log.append("driver") }).disposed(by: bag)
        event.asSignal().emit(onNext: { log.append("signal") }).disposed(by: bag)
        event.asInfallible().subscribe(onNext: { log.append("infallible") }).disposed(by: bag)
        event.asObservable().subscribe(onNext: { log.append("events") }).disposed(by: bag)
        field.type("b")
        #expect(
            log.value == [
                "property a", "values a", "property b", "values b", "driver", "signal", "infallible", "events",
            ]
        )
    }

    @MainActor @Test func controlsAreSubscribedToOnMainThread() async throws {
        let isOnMain = Cell<[Bool]>([])
        let source = Observable<Int>.create { observer in
            isOnMain.append(isMainQueue())
            observer.onCompleted()
            return Disposables.create()
        }
        let property = ControlProperty(values: source, valueSink: AnyObserver { _ in })
        let event = ControlEvent(events: source)
        DispatchQueue.global().async {
            _ = property.subscribe()
            _ = event.subscribe()
        }
        try await eventually("both controls are subscribed to") { isOnMain.value.count == 2 }
        #expect(isOnMain.value == [true, true])
    }

    #if DEBUG
    @MainActor @Test func errorBoundToControlPropertyTrapsInDebugBuild() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            ControlProperty(values: Observable<Int>.never(), valueSink: AnyObserver { _ in }).onError(TestError("oh"))
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("takes none: oh"))
    }
    #endif
}

private func isMainQueue() -> Bool {
    DispatchQueue.getSpecific(key: mainKey) != nil
}

private let mainKey = {
    let key = DispatchSpecificKey<Void>()
    DispatchQueue.main.setSpecific(key: key, value: ())
    return key
}()
