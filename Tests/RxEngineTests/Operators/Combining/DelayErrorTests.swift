import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct DelayErrorTests {
    private func events(_ source: Observable<Int>) -> [String] {
        let log = Cell<[String]>([])
        source.subscribe(
            onNext: { log.append("\($0)") }, onError: { log.append("\($0)") }, onCompleted: { log.append("completed") }
        ).dispose()
        return log.value
    }

    private let failing = Observable.of(1).concat(.error(TestError("a")))

    @Test func errorsAreDelayedUntilAllHaveEnded() {
        #expect(events(.mergeDelayError(failing, .of(2, 3))) == ["1", "2", "3", "a"])
        #expect(events(.concatDelayError(failing, .of(2), .error(TestError("b")), .of(3))) == ["1", "2", "3", "a; b"])
        #expect(events(.concatDelayError(.of(1), .of(2))) == ["1", "2", "completed"])
        #expect(events(.mergeDelayError()) == ["completed"])
        #expect(events(.mergeDelayError([failing, .of(2)])) == ["1", "2", "a"])
        #expect(events(.concatDelayError([failing, .of(2)][...])) == ["1", "2", "a"])
        #expect(events(.mergeDelayError([])) == ["completed"] && events(.concatDelayError([])) == ["completed"])
    }

    @Test func eachSubscriptionCollectsItsOwnErrors() {
        let source = Observable.mergeDelayError(failing, .error(TestError("b")))
        for _ in 1...2 { #expect(events(source) == ["1", "b; a"]) }
    }
}
