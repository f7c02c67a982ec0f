import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct ExpandTests {
    @Test func elementsAreExpandedUntilSequencesAreEmpty() {
        let source = Observable.of(1, 10).expand { $0 < 4 ? .just($0 * 2) : .empty() }
        #expect(emitted(by: source) == [.next(1), .next(2), .next(4), .next(10), .completed])
    }

    @Test func endlessExpansionIsStoppedByItsObserver() {
        let source = Observable.just(0).expand { .just($0 + 1) }.take(50)
        #expect(emitted(by: source) == (0..<50).map { .next($0) } + [.completed])
    }

    @Test func errorsEndResult() {
        #expect(
            emitted(by: Observable.just(1).expand { $0 < 3 ? .just($0 + 1) : .error(TestError()) })
                == [.next(1), .next(2), .next(3), .error(TestError())])
        #expect(emitted(by: Observable.just(1).expand { _ in throw TestError() }) == [.error(TestError())])
    }
}
