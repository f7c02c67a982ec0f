import RxEngine
import TestSupport
import Testing

@Suite(.balanced) struct TrampolineTests {
    /// Subscribes when it is released, as a client's object may.
    private final class SubscribesOnRelease: Sendable {
        let log: Cell<[Int]>

        init(_ log: Cell<[Int]>) {
            self.log = log
        }

        deinit {
            _ = Observable.of(10, 20).subscribe(onNext: { [log] in log.append($0) })
        }
    }

    /// What a finished item was the last to retain may use the trampoline in its deinitializer.
    @Test(arguments: [1, 200]) func releasedObjectMayUseTrampoline(count: Int) {
        let log = Cell<[Int]>([])
        _ = CurrentThreadScheduler.instance.schedule(()) {
            for _ in 0..<count {
                let word = SubscribesOnRelease(log)
                _ = Observable.of(1).subscribe(onNext: { value in withExtendedLifetime(word) { log.append(value) } })
            }
            return Disposables.create()
        }
        #expect(log.value.count == 3 * count)
        #expect(log.value.count { $0 == 1 } == count)
    }

    @Test func longQueueRunsInOrder() {
        let log = Cell<[Int]>([])
        _ = CurrentThreadScheduler.instance.schedule(()) {
            for number in 0..<1000 {
                _ = CurrentThreadScheduler.instance.schedule(number) {
                    log.append($0)
                    return Disposables.create()
                }
            }
            return Disposables.create()
        }
        #expect(log.value == Array(0..<1000))
    }

    /// An operator whose client starts a run from a callback, where no subscription has entered the trampoline.
    @Test func runStartedOffTrampolineEndsBeforeReturning() {
        let log = EventLog<Int>()
        let callbacks = PublishSubject<Int>()
        let source = Observable<Int>.source { sink in
            let start = Forwarder { Observable.of(1, 2).run(sink) }
            return callbacks.subscribe(start)
        }
        _ = source.subscribe(log)
        callbacks.onNext(0)
        #expect(log.events == [.next(1), .next(2), .completed])
    }
}

/// Starts a run at each element.
private struct Forwarder: ObserverType {
    let start: () -> any Disposable

    func on(_ event: Event<Int>) {
        if case .next = event { _ = start() }
    }
}
