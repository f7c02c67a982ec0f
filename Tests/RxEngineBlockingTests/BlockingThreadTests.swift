import Glibc
import RxEngine
import RxEngineBlocking
import TestSupport
import Testing

@Suite(.balanced) struct BlockingThreadTests {
    @Test func sourceIsSubscribedToOnCallingThread() throws {
        let caller = pthread_self()
        let source = Observable<Bool>.create { observer in
            observer.onNext(pthread_equal(caller, pthread_self()) != 0)
            observer.onCompleted()
            return Disposables.create()
        }
        #expect(try source.toBlocking().single())
    }

    @Test func waitsOnTrampoline() {
        let results = Cell<[[Int]]>([])
        _ = CurrentThreadScheduler.instance.schedule(()) {
            for source in [Observable.of(1, 2), .just(3), .of(4, 5).map { $0 * 10 }] {
                if let result = try? source.toBlocking(timeout: 60).toArray() { results.append(result) }
            }
            return Disposables.create()
        }
        #expect(results.value == [[1, 2], [3], [40, 50]])
    }

    @Test func closureMayWaitForAnotherSequence() throws {
        let source = Observable.of(1, 2, 3).map { element in
            try Observable.from(1...element).toBlocking(timeout: 60).toArray()
        }
        #expect(try source.toBlocking().toArray() == [[1], [1, 2], [1, 2, 3]])
    }

    @Test func endlessSourceIsDisposedOnTrampoline() {
        let result = Cell<Int?>(nil)
        _ = CurrentThreadScheduler.instance.schedule(()) {
            let first = try? Observable.from(7...).toBlocking(timeout: 60).first()
            result.update { $0 = first }
            return Disposables.create()
        }
        #expect(result.value == 7)
    }

    @Test func eachCallSubscribesAnew() throws {
        let runs = Cell(0)
        let source = Observable<Int>.create { observer in
            runs.update { $0 += 1 }
            observer.onNext(runs.value)
            observer.onCompleted()
            return Disposables.create()
        }.toBlocking()
        #expect(runs.value == 0)
        #expect(try source.first() == 1)
        #expect(try source.last() == 2)
    }

    @Test func everyObservableConvertibleTypeCanBeWaitedFor() throws {
        struct Constant: ObservableConvertibleType {
            func asObservable() -> Observable<Int> { .just(42) }
        }
        #expect(try Constant().toBlocking().single() == 42)
    }
}
