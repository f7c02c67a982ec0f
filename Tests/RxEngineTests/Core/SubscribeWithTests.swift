import RxEngine
import TestSupport
import Testing

/// Tests of `subscribe(with:…)`.
@Suite(.balanced) struct SubscribeWithTests {
    @Test func closuresReceiveObject() {
        let object = Cell<[String]>([])
        _ = Observable.of(1, 2).subscribe(
            with: object, onNext: { $0.append("next \($1)") }, onError: { $0.append("error \($1)") },
            onCompleted: { $0.append("completed") }, onDisposed: { $0.append("disposed") })
        #expect(object.value == ["next 1", "next 2", "completed", "disposed"])
        _ = Observable<Int>.error(TestError("e")).subscribe(with: object, onError: { $0.append("error \($1)") })
        #expect(object.value.last == "error e")
    }

    @Test func closuresDoNotRunAfterObjectIsReleased() {
        let log = Cell<[Int]>([])
        let subject = PublishSubject<Int>()
        var object: Cell<Int>? = Cell(0)
        weak let weakly = object
        let subscription = subject.subscribe(
            with: object!, onNext: { log.append($1) }, onDisposed: { _ in log.append(-1) })
        subject.onNext(1)
        object = nil
        #expect(weakly == nil)
        subject.onNext(2)
        #expect(log.value == [1])
        #expect(subject.hasObservers)
        subscription.dispose()
        #expect(log.value == [1])
    }

    @Test func unhandledErrorsReachHook() {
        let log = Cell<[String]>([])
        let before = Hooks.defaultErrorHandler
        Hooks.defaultErrorHandler = { log.append("\($1)") }
        defer { Hooks.defaultErrorHandler = before }
        _ = Observable<Int>.error(TestError("e")).subscribe(with: log, onNext: { _, _ in })
        #expect(log.value == ["e"])
    }
}
