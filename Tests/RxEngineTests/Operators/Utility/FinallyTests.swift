import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct FinallyTests {
    @Test func finallyRunsAfterSourceIsDisposed() {
        let log = Cell<[String]>([])
        let source = Observable<Int>.create { observer in
            observer.onCompleted()
            return Disposables.create { log.append("left") }
        }
        source.doFinally { log.append("finally") }.subscribe(onCompleted: { log.append("end") }).dispose()
        Observable<Int>.create { _ in Disposables.create { log.append("left") } }
            .doFinally { log.append("finally") }.subscribe().dispose()
        #expect(log.value == ["end", "left", "finally", "left", "finally"])
    }

    @Test(arguments: [Observable.of(1), .error(TestError()), .never(), .empty()])
    func closureIsCalledOnceAtEndOrDisposal(source: Observable<Int>) {
        let log = Cell<[String]>([])
        let subscription = source.doFinally { log.append("finally") }.finally { log.append("finally") }
            .subscribe(onError: { _ in log.append("end") }, onCompleted: { log.append("end") })
        subscription.dispose()
        subscription.dispose()
        // Both, after the end.
        #expect(log.value.suffix(2) == ["finally", "finally"] && log.value.count { $0 == "finally" } == 2)
    }
}
