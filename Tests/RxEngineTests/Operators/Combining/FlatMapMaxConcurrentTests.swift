import RxEngine
import RxEngineTest
import TestSupport
import Testing

@Suite(.balanced) struct FlatMapMaxConcurrentTests {
    @Test(arguments: [1, 2, 9]) func atMostSoManyRun(limit: Int) {
        let scheduler = TestScheduler(initialClock: 0)
        let running = Cell(0)
        let most = Cell(0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(211, 2), .next(212, 3), .completed(213)])
        let observer = scheduler.start {
            source.asObservable().flatMap(maxConcurrent: limit) { value in
                Observable<Int>.timer(.seconds(10), scheduler: scheduler).map { _ in value }
                    .do(
                        onSubscribe: {
                            running.update { $0 += 1 }
                            let now = running.value
                            most.update { $0 = max($0, now) }
                        }, onDispose: { running.update { $0 -= 1 } })
            }
        }
        #expect(observer.events.compactMap(\.value.element) == [1, 2, 3] && observer.events.last?.value == .completed)
        #expect(most.value == min(limit, 3) && running.value == 0)
    }

    @Test func errorsOfClosureAndOfSequencesEndResult() {
        let source = Observable.of(1, 2)
        #expect(
            emitted(by: source.flatMap(maxConcurrent: 1) { _ -> Observable<Int> in throw TestError() }) == [
                .error(TestError())
            ])
        #expect(
            emitted(by: source.flatMap(maxConcurrent: 1) { $0 == 1 ? Observable.just($0) : .error(TestError()) })
                == [.next(1), .error(TestError())])
    }
}
