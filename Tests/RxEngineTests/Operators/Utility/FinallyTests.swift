import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct FinallyTests {
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
