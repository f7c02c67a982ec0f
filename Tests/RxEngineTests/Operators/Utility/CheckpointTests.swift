import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct CheckpointTests {
    private func failure(of source: Observable<Int>) -> (any Error)? {
        let log = Cell<[any Error]>([])
        _ = source.subscribe(onError: { log.append($0) })
        return log.value.first
    }

    @Test func errorHasCheckpointsItPassed() throws {
        let failing = Observable<Int>.error(TestError())
        let error = try #require(
            failure(of: failing.checkpoint("fetched").map { $0 + 1 }.checkpoint("parsed")))
        #expect(error.checkpoints == ["fetched", "parsed"])
        #expect(error.withoutCheckpoints as? TestError == TestError())
        #expect("\(error)" == "test error (passed fetched, then parsed)")
    }

    @Test func errorWithoutCheckpointsIsUnchanged() throws {
        let error = try #require(failure(of: Observable.error(TestError())))
        #expect(error.checkpoints == [] && error is TestError && error.withoutCheckpoints is TestError)
        // An error that occurs after a checkpoint has not passed it.
        let later = try #require(failure(of: Observable.just(1).checkpoint("before").map { _ in throw TestError() }))
        #expect(later.checkpoints == [])
    }

    @Test func elementsAndCompletionPassUnchanged() {
        #expect(emitted(by: Observable.of(1, 2).checkpoint("here")) == [.next(1), .next(2), .completed])
    }

    @Test func disposeReleasesSource() {
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(210, 1), .next(240, 2)])
        let observer = scheduler.start(disposed: 230) { hot.checkpoint("here") }
        #expect(observer.events == [.next(210, 1)])
        #expect(hot.subscriptions == [Subscription(200, 230)])
    }
}
