import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct EnumeratedTests {
    @Test func elementsAreNumbered() {
        let source = Observable.of("a", "b").enumerated().map { "\($0.index)\($0.element)" }
        #expect(emitted(by: source) == [.next("0a"), .next("1b"), .completed])
    }

    @Test func reentrantElementHasNextNumber() {
        let log = Cell<[String]>([])
        let subject = PublishSubject<String>()
        let subscription = subject.enumerated().subscribe(onNext: { index, element in
            if element == "a" { subject.onNext("b") }
            log.append("\(index)\(element)")
        })
        subject.onNext("a")
        #expect(log.value == ["1b", "0a"])
        subscription.dispose()
    }
}
