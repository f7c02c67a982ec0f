import Glibc
import RxEngine
import RxEngineBlocking
import TestSupport
import Testing

@Suite(.balanced) struct WhereItWaitsTests {
    @Test func theSourceIsSubscribedToOnTheCallingThread() throws {
        let caller = pthread_self()
        let source = Observable<Bool>.create { observer in
            observer.onNext(pthread_equal(caller, pthread_self()) != 0)
            observer.onCompleted()
            return Disposables.create()
        }
        #expect(try source.toBlocking().single())
    }

    @Test func onATrampolineItStillWaits() {
        let answers = Box<[[Int]]>([])
        _ = CurrentThreadScheduler.instance.schedule(()) {
            for source in [Observable.of(1, 2), .just(3), .of(4, 5).map { $0 * 10 }] {
                if let answer = try? source.toBlocking(timeout: 60).toArray() { answers.append(answer) }
            }
            return Disposables.create()
        }
        #expect(answers.value == [[1, 2], [3], [40, 50]])
    }

    @Test func anElementMayWaitForAnotherSequence() throws {
        let source = Observable.of(1, 2, 3).map { element in
            try Observable.from(1...element).toBlocking(timeout: 60).toArray()
        }
        #expect(try source.toBlocking().toArray() == [[1], [1, 2], [1, 2, 3]])
    }

    @Test func onATrampolineAnEndlessSourceIsDisposedToo() {
        let answer = Box<Int?>(nil)
        _ = CurrentThreadScheduler.instance.schedule(()) {
            let first = try? Observable.from(7...).toBlocking(timeout: 60).first()
            answer.update { $0 = first }
            return Disposables.create()
        }
        #expect(answer.value == 7)
    }

    @Test func eachQuestionIsARunOfItsOwn() throws {
        let runs = Box(0)
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

    @Test func whateverConvertsToAnObservableCanBeWaitedFor() throws {
        struct Answer: ObservableConvertibleType {
            func asObservable() -> Observable<Int> { .just(42) }
        }
        #expect(try Answer().toBlocking().single() == 42)
    }
}
