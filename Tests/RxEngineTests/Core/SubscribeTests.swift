import RxEngine
import RxEngineTest
import Synchronization
import TestSupport
import Testing

@Suite(.balanced) struct SubscribeTests {
    @Test func closuresRunInOrder() {
        let log = Cell<[String]>([])
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            observer.onCompleted()
            return Disposables.create { log.append("freed") }
        }
        let subscription = source.subscribe(
            onNext: { log.append("next \($0)") }, onError: { log.append("error \($0)") },
            onCompleted: { log.append("completed") }, onDisposed: { log.append("disposed") })
        #expect(log.value == ["next 1", "completed", "freed", "disposed"])
        subscription.dispose()
        #expect(log.value.count == 4)
    }

    @Test func disposeRunsOnDisposedOnce() {
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let subscription = subject.subscribe(
            onNext: { log.append("next \($0)") }, onCompleted: { log.append("completed") },
            onDisposed: { log.append("disposed") })
        subject.onNext(1)
        subscription.dispose()
        subscription.dispose()
        subject.onNext(2)
        subject.onCompleted()
        #expect(log.value == ["next 1", "disposed"])
        #expect(!subject.hasObservers)
    }

    @Test func errorReachesObserversHandler() {
        let log = Cell<[String]>([])
        let subject = PublishSubject<Int>()
        let subscription = subject.subscribe(
            onError: { log.append("error \($0)") }, onDisposed: { log.append("disposed") })
        subject.onError(TestError("e"))
        #expect(log.value == ["error e", "disposed"])
        subscription.dispose()
    }

    @Test func closureForEventsReceivesAllEvents() {
        let log = Cell<[Event<Int>]>([])
        let subscription = Observable.of(1, 2).subscribe { log.append($0) }
        #expect(log.value == [.next(1), .next(2), .completed])
        subscription.dispose()
    }

    @Test func releasingDisposableDoesNotCancel() {
        let log = Cell<[Int]>([])
        let subject = PublishSubject<Int>()
        _ = subject.subscribe(onNext: { log.append($0) })
        subject.onNext(1)
        #expect(log.value == [1])
        subject.onCompleted()
    }

    @Test func nothingIsDeliveredAfterDisposingInsideEvent() {
        let log = Cell<[Int]>([])
        let handle = SerialDisposable()
        let subject = PublishSubject<Int>()
        handle.disposable = subject.subscribe(onNext: {
            log.append($0)
            handle.dispose()
        })
        subject.onNext(1)
        subject.onNext(2)
        #expect(log.value == [1])
    }

    @Test func disposeStopsEndlessSynchronousSource() {
        let log = Cell<[Int]>([])
        let handle = SingleAssignmentDisposable()
        // On a trampoline the source starts later, so the handle exists before the first element.
        _ = CurrentThreadScheduler.instance.schedule(()) {
            let source = Observable.from(0...).map { value in
                if value == 3 { handle.dispose() }
                return value
            }
            handle.setDisposable(source.subscribe(onNext: { log.append($0) }))
            return Disposables.create()
        }
        #expect(log.value == [0, 1, 2])
    }

    @Test func observersAreErasedAndMapped() {
        let log = Cell<[Event<String>]>([])
        let observer = AnyObserver<String> { log.append($0) }
        let mapped = observer.asObserver().mapObserver { (value: Int) in
            if value < 0 { throw TestError("negative") }
            return "\(value)"
        }
        mapped.onNext(1)
        mapped.onNext(-1)
        mapped.onCompleted()
        mapped.onError(TestError("e"))
        #expect(log.value == [.next("1"), .error(TestError("negative")), .completed, .error(TestError("e"))])
    }

    @Test func customObservableTypeCanBeSubscribedTo() {
        struct Foreign: ObservableType {
            typealias Element = Int

            func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
            where Observer.Element == Int {
                observer.onNext(1)
                observer.onCompleted()
                return Disposables.create()
            }
        }
        let log = Cell<[Event<Int>]>([])
        _ = Foreign().map { $0 + 1 }.subscribe { log.append($0) }
        #expect(log.value == [.next(2), .completed])
    }

    @Test func nothingIsDeliveredAfterDisposeOnSameSerialScheduler() async throws {
        // Emits and disposes on one serial scheduler, many times.
        let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "guarantee")
        let late = Atomic(0)
        let done = Atomic(0)
        let rounds = 500
        for _ in 0..<rounds {
            let subject = PublishSubject<Int>()
            _ = scheduler.schedule(()) {
                let disposed = Cell(false)
                let subscription = subject.map { $0 }.subscribe(onNext: { _ in
                    if disposed.value { late.add(1, ordering: .relaxed) }
                })
                _ = scheduler.schedule(()) {
                    subject.onNext(1)
                    return Disposables.create()
                }
                return scheduler.schedule(()) {
                    subscription.dispose()
                    disposed.update { $0 = true }
                    subject.onNext(2)
                    done.add(1, ordering: .relaxed)
                    return Disposables.create()
                }
            }
        }
        try await eventually("all rounds ran") { done.load(ordering: .relaxed) == rounds }
        #expect(late.load(ordering: .relaxed) == 0)
    }
}
