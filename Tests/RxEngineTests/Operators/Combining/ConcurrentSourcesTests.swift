import Dispatch
import RxEngine
import RxEngineTest
import TestSupport
import Testing

/// Several sources on several threads: events are delivered one at a time, none is lost, there is one end, and no
/// observer is called under a lock.
@Suite(.balanced) struct ConcurrentSourcesTests {
    /// An observer that checks the grammar: one call at a time, and nothing after the end.
    private final class GrammarChecker: Sendable {
        let inside = Cell(0)
        let elements = Cell(0)
        let ends = Cell(0)

        func observe(_ event: Event<Int>) {
            inside.update { $0 += 1 }
            #expect(inside.value == 1)
            #expect(ends.value == 0)
            if event.isStopEvent { ends.update { $0 += 1 } } else { elements.update { $0 += 1 } }
            inside.update { $0 -= 1 }
        }
    }

    static let all: [Flattening] = [.flatMap, .merge, .mergeTwo]

    @Test(arguments: all) func eventsOfManyThreadsAreSerialized(_ operation: Flattening) async {
        let (rounds, count) = (20, 500)
        for round in 0..<rounds {
            let subjects = (0..<2).map { _ in PublishSubject<Int>() }
            let grammar = GrammarChecker()
            let subscription = operation.apply(.from(0..<2)) { subjects[$0] }.subscribe { grammar.observe($0) }
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
            #expect(grammar.ends.value == 1)
            if round % 2 == 0 { #expect(grammar.elements.value == 2 * count) }
            #expect(subjects.allSatisfy { !$0.hasObservers })
            subscription.dispose()
        }
    }

    @Test func mergeOfManyThreadsLosesNothing() async {
        for _ in 0..<20 {
            let subjects = (0..<4).map { _ in PublishSubject<Int>() }
            let grammar = GrammarChecker()
            _ = Observable.merge(subjects.map { $0.asObservable() }).subscribe { grammar.observe($0) }
            await withTaskGroup(of: Void.self) { group in
                for subject in subjects {
                    group.addTask {
                        for number in 0..<500 { subject.onNext(number) }
                        subject.onCompleted()
                    }
                }
            }
            #expect(grammar.elements.value == 2000)
            #expect(grammar.ends.value == 1)
        }
    }

    /// The source replaces the inner sequence while that emits: an element of a replaced sequence may be lost, but none
    /// follows an element of its replacement.
    @Test func flatMapLatestEmitsNoReplacedElementAfterNew() async {
        for _ in 0..<50 {
            let source = PublishSubject<Int>()
            let inners = (0..<20).map { _ in PublishSubject<Int>() }
            let log = Cell<[Int]>([])
            let grammar = GrammarChecker()
            _ = source.flatMapLatest { inners[$0] }.subscribe { event in
                grammar.observe(event)
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
            #expect(grammar.ends.value == 1)
        }
    }

    @Test(arguments: Flattening.allCases) func endAndDisposeMayRace(_ operation: Flattening) async {
        for _ in 0..<200 {
            let source = PublishSubject<Int>()
            let inner = PublishSubject<Int>()
            let grammar = GrammarChecker()
            let subscription = operation.apply(source) { _ in inner }.subscribe { grammar.observe($0) }
            source.onNext(0)
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    inner.onNext(1)
                    inner.onCompleted()
                }
                group.addTask { source.onCompleted() }
                group.addTask { subscription.dispose() }
            }
            #expect(grammar.ends.value <= 1)
            #expect(!source.hasObservers)
            #expect(!inner.hasObservers)
        }
    }

    @Test func queuedInnerSequencesRunOnManyThreads() async {
        for _ in 0..<50 {
            let source = PublishSubject<Int>()
            let inners = (0..<40).map { _ in PublishSubject<Int>() }
            let grammar = GrammarChecker()
            _ = source.map { inners[$0] }.merge(maxConcurrent: 3).subscribe { grammar.observe($0) }
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
            #expect(grammar.ends.value == 1)
            #expect(inners.allSatisfy { !$0.hasObservers })
        }
    }

    /// While the observer receives an event, other threads that it waits for may use the sequence.
    @Test(arguments: Flattening.allCases) func observerIsNotCalledUnderLock(_ operation: Flattening) {
        let source = PublishSubject<Int>()
        let inner = PublishSubject<Int>()
        let handle = SerialDisposable()
        let log = Cell<[Int]>([])
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

    @Test func operatorsCallNoObserverUnderLock() {
        let operations: [@Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>] = [
            { $0.concat($1) }, { .merge($0, $1) }, { $0.amb($1) }, { first, _ in first.retry() },
            { first, second in first.retry { _ in second } }, { first, second in first.catch { _ in second } },
        ]
        for operation in operations {
            let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
            let handle = SerialDisposable()
            let log = Cell<[Int]>([])
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

    /// Two runs dispose each other, from two threads at once, in opposite order.
    @Test(arguments: Flattening.allCases) func runsMayDisposeEachOther(_ operation: Flattening) async {
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

    /// A shared, replaying sequence is flattened on two threads: its replay and its disposal take locks of their own.
    @Test(arguments: Flattening.allCases) func sharedSequencesAreFlattenedConcurrently(_ operation: Flattening) async {
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

    /// - Returns: whether another thread finished `work` in time.
    private func elsewhere(_ work: @escaping @Sendable () -> Void) -> Bool {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            work()
            done.signal()
        }
        return done.wait(timeout: .now() + 10) == .success
    }
}
