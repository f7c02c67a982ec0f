import Dispatch
import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Several sources on several threads: events one after the other, none lost, one end, and nobody called under a lock.
@Suite(.balanced) struct ConfluenceTests {
    /// Checks the grammar as an observer: one call at a time, and nothing after the end.
    private final class Judge: Sendable {
        let inside = Box(0)
        let elements = Box(0)
        let ends = Box(0)

        func observe(_ event: Event<Int>) {
            inside.update { $0 += 1 }
            #expect(inside.value == 1)
            #expect(ends.value == 0)
            if event.isStopEvent { ends.update { $0 += 1 } } else { elements.update { $0 += 1 } }
            inside.update { $0 -= 1 }
        }
    }

    static let all: [Flattening] = [.flatMap, .merge, .mergeTwo]

    @Test(arguments: all) func manyThreadsTellAtOnce(_ operation: Flattening) async {
        let (rounds, count) = (20, 500)
        for round in 0..<rounds {
            let subjects = (0..<2).map { _ in PublishSubject<Int>() }
            let judge = Judge()
            let subscription = operation.apply(.from(0..<2)) { subjects[$0] }.subscribe { judge.observe($0) }
            await withTaskGroup(of: Void.self) { group in
                for subject in subjects {
                    group.addTask {
                        for number in 0..<count { subject.onNext(number) }
                        if round % 2 == 1, subject === subjects[0] {
                            subject.onError(TestError())
                        } else {
                            subject.onCompleted()
                        }
                    }
                }
            }
            #expect(judge.ends.value == 1)
            if round % 2 == 0 { #expect(judge.elements.value == 2 * count) }
            #expect(subjects.allSatisfy { !$0.hasObservers })
            subscription.dispose()
        }
    }

    @Test func aStaticMergeOfManyThreads() async {
        for _ in 0..<20 {
            let subjects = (0..<4).map { _ in PublishSubject<Int>() }
            let judge = Judge()
            _ = Observable.merge(subjects.map { $0.asObservable() }).subscribe { judge.observe($0) }
            await withTaskGroup(of: Void.self) { group in
                for subject in subjects {
                    group.addTask {
                        for number in 0..<500 { subject.onNext(number) }
                        subject.onCompleted()
                    }
                }
            }
            #expect(judge.elements.value == 2000)
            #expect(judge.ends.value == 1)
        }
    }

    /// The source replaces the inner sequence while that tells: an element of one that was replaced may be lost, but
    /// none comes after one of its successor.
    @Test func theLatestIsNeverOvertaken() async {
        for _ in 0..<50 {
            let source = PublishSubject<Int>()
            let inners = (0..<20).map { _ in PublishSubject<Int>() }
            let log = Box<[Int]>([])
            let judge = Judge()
            _ = source.flatMapLatest { inners[$0] }.subscribe { event in
                judge.observe(event)
                if case .next(let number) = event { log.append(number) }
            }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in inners.indices { source.onNext(number) }
                    source.onCompleted()
                }
                for (number, inner) in inners.enumerated() {
                    group.addTask { for _ in 0..<50 { inner.onNext(number) } }
                }
            }
            inners[19].onNext(19)
            inners.forEach { $0.onCompleted() }
            #expect(log.value == log.value.sorted())
            #expect(judge.ends.value == 1)
        }
    }

    @Test(arguments: Flattening.allCases) func endingAndDisposingMayRace(_ operation: Flattening) async {
        for _ in 0..<200 {
            let source = PublishSubject<Int>()
            let inner = PublishSubject<Int>()
            let judge = Judge()
            let subscription = operation.apply(source) { _ in inner }.subscribe { judge.observe($0) }
            source.onNext(0)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    inner.onNext(1)
                    inner.onCompleted()
                }
                group.addTask { source.onCompleted() }
                group.addTask { subscription.dispose() }
            }
            #expect(judge.ends.value <= 1)
            #expect(!source.hasObservers)
            #expect(!inner.hasObservers)
        }
    }

    @Test func aLineIsWorkedOffByManyThreads() async {
        for _ in 0..<50 {
            let source = PublishSubject<Int>()
            let inners = (0..<40).map { _ in PublishSubject<Int>() }
            let judge = Judge()
            _ = source.map { inners[$0] }.merge(maxConcurrent: 3).subscribe { judge.observe($0) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in inners.indices { source.onNext(number) }
                    source.onCompleted()
                }
                for share in 0..<3 {
                    group.addTask {
                        for index in stride(from: share, to: inners.count, by: 3) { inners[index].onCompleted() }
                    }
                }
            }
            #expect(judge.ends.value == 1)
            #expect(inners.allSatisfy { !$0.hasObservers })
        }
    }

    /// While the observer is being told, others may do what they like, from threads that it waits for.
    @Test(arguments: Flattening.allCases) func nobodyIsCalledUnderALock(_ operation: Flattening) {
        let source = PublishSubject<Int>()
        let inner = PublishSubject<Int>()
        let handle = SerialDisposable()
        let log = Box<[Int]>([])
        handle.disposable = operation.apply(source) { _ in inner }.subscribe(onNext: { number in
            log.append(number)
            if number == 1 {
                #expect(elsewhere { source.onNext(1) })
                #expect(elsewhere { handle.dispose() })
            }
        })
        source.onNext(0)
        inner.onNext(1)
        inner.onNext(2)
        #expect(log.value == [1])
    }

    @Test func theOthersCallNobodyUnderALock() {
        let operations: [@Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>] = [
            { $0.concat($1) }, { .merge($0, $1) }, { $0.amb($1) }, { first, _ in first.retry() },
            { first, second in first.retry { _ in second } }, { first, second in first.catch { _ in second } },
        ]
        for operation in operations {
            let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
            let handle = SerialDisposable()
            let log = Box<[Int]>([])
            handle.disposable = operation(first, second).subscribe(onNext: { number in
                log.append(number)
                #expect(elsewhere { second.onNext(2) })
                #expect(elsewhere { handle.dispose() })
            })
            first.onNext(1)
            #expect(log.value == [1])
            #expect(!first.hasObservers)
            #expect(!second.hasObservers)
        }
    }

    /// Two runs that end each other, from two threads at once, in opposite order.
    @Test(arguments: Flattening.allCases) func runsThatDisposeEachOther(_ operation: Flattening) async {
        for _ in 0..<100 {
            let subjects = [PublishSubject<Int>(), PublishSubject<Int>()]
            let handles = [SerialDisposable(), SerialDisposable()]
            for index in 0..<2 {
                handles[index].disposable = operation.apply(.just(0)) { _ in subjects[index] }
                    .subscribe(onNext: { _ in handles[1 - index].dispose() })
            }
            await withTaskGroup(of: Void.self) { group in
                for subject in subjects { group.addTask { subject.onNext(1) } }
            }
            handles.forEach { $0.dispose() }
        }
    }

    /// A shared sequence that remembers, flattened, from two threads: replay and disposal take locks of their own.
    @Test(arguments: Flattening.allCases) func sharedSequencesInsideAndOutside(_ operation: Flattening) async {
        let subject = PublishSubject<Int>()
        let shared = operation.apply(subject) { Observable.just($0) }.share(replay: 1)
        let keep = shared.subscribe()
        subject.onNext(0)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for value in 1...300 { subject.onNext(value) } }
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<100 { operation.apply(shared) { _ in shared.take(1) }.subscribe().dispose() }
                }
            }
        }
        keep.dispose()
        #expect(!subject.hasObservers)
    }

    /// - Returns: whether another thread was done with `work` in time.
    private func elsewhere(_ work: @escaping @Sendable () -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            work()
            done.signal()
        }
        return done.wait(timeout: .now() + 10) == .success
    }
}
