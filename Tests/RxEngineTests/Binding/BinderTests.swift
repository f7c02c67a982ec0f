import Dispatch
import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct BinderTests {
    @MainActor final class Label: ReactiveCompatible {
        var text = ""
        var hint: String?
    }

    /// An object that belongs to no actor.
    final class Register {
        var values: [Int] = []
    }

    @MainActor @Test func targetIsSetSynchronouslyOnMainThread() {
        let label = Label()
        let source = PublishSubject<String>()
        let bag = DisposeBag()
        source.bind(to: Binder(label) { label, text in label.text = text }).disposed(by: bag)
        source.onNext("a")
        #expect(label.text == "a")
        source.onCompleted()
        #expect(label.text == "a")
    }

    @MainActor @Test func eventsFromOtherThreadsSetTargetOnMainThread() async throws {
        let label = Label()
        let binder = Binder<String>(label) { label, text in label.text += text }
        DispatchQueue.global().async {
            for text in ["a", "b", "c"] { binder.onNext(text) }
        }
        try await eventually("the text is set") { label.text == "abc" }
    }

    @MainActor @Test func binderRunsOnGivenScheduler() {
        let register = Register()
        let binder = Binder<Int>(register, scheduler: CurrentThreadScheduler.instance) { $0.values.append($1) }
        Observable.of(1, 2).subscribe(binder.asObserver()).dispose()
        #expect(register.values == [1, 2])
    }

    @MainActor @Test func binderDoesNotRetainTarget() {
        var label: Label? = Label()
        weak let weakLabel = label
        let calls = Cell(0)
        let binder = label.map { Binder<String>($0) { _, _ in calls.update { $0 += 1 } } }
        binder?.onNext("a")
        label = nil
        #expect(weakLabel == nil)
        binder?.onNext("b")
        #expect(calls.value == 1)
    }

    @MainActor @Test func everyWritablePropertyHasBinder() {
        let label = Label()
        let source = PublishSubject<String>()
        let bag = DisposeBag()
        source.bind(to: label.rx.text).disposed(by: bag)
        source.bind(to: label.rx.hint).disposed(by: bag)
        source.onNext("a")
        #expect(label.text == "a")
        #expect(label.hint == "a")
        #expect(Label.rx == Reactive<Label>.self)
        #expect(Reactive(label).base === label)
    }

    #if DEBUG
    @MainActor @Test func errorTrapsInDebugBuild() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let register = Register()
            Binder<Int>(register, scheduler: CurrentThreadScheduler.instance) { _, _ in }.onError(TestError("oh"))
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("takes none: oh"))
    }
    #else
    @MainActor @Test func errorIsPrintedInReleaseBuild() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let register = Register()
            Binder<Int>(register, scheduler: CurrentThreadScheduler.instance) { _, _ in }.onError(TestError("oh"))
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("takes none: oh"))
    }
    #endif
}
