import RxEngine
import Synchronization

extension StressTest {
    /// The notifications of `retry(when:)` come on another thread while the error is being emitted, the last of them
    /// followed by their end at once. The result ends, and attempts follow one another.
    static let retrying = StressTest("retry when") { random, report in
        let notifier = RetryNotifier(&random)
        let (elements, isOnQueue, pause) = (random.below(3), random.chance(30), random.below(10_000))
        report.describe("retry(when: \(notifier.text)), \(elements) elements, on a queue: \(isOnQueue)")
        for round in 0..<100 {
            let source = FailingSource(elements, isOnQueue)
            let observer = CheckedObserver("round \(round)", Guarantees(), pause: pause) { report.violation($0) }
            let subscription = observer.subscribe(to: source.observable.retry(when: notifier.make))
            report.require(waitUntil { observer.ending != .none }, "no end: \(observer.text)")
            subscription.dispose()
            report.require(waitUntil { observer.disposals == 1 }, "onDisposed did not run once: \(observer.text)")
            report.require(waitUntil { source.active == 0 }, "round \(round): an attempt was not disposed")
            report.require(!source.overlaps, "round \(round): two attempts at the same time")
            // The end replaces the next error or precedes the next attempt.
            report.require(
                source.attempts <= UInt64(notifier.count + 1),
                "round \(round): \(source.attempts) attempts after \(notifier.count) notifications")
        }
    }

    /// Emits some elements and fails.
    private final class FailingSource: Sendable {
        private let elements: Int
        private let isOnQueue: Bool
        private let runs = Counter()
        private let live = Atomic(0)
        private let hasOverlapped = Flag()

        init(_ elements: Int, _ isOnQueue: Bool) {
            self.elements = elements
            self.isOnQueue = isOnQueue
        }

        var attempts: UInt64 { runs.count }
        /// How many attempts have begun to emit and not yet failed.
        var active: Int { live.load(ordering: .relaxed) }
        var overlaps: Bool { hasOverlapped.isSet }

        var observable: Observable<Tagged> {
            .create { observer in
                let run = self.runs.next()
                if self.live.add(1, ordering: .relaxed).oldValue > 0 { self.hasOverlapped.set() }
                let emit: @Sendable () -> Void = {
                    for number in 0..<self.elements {
                        observer.onNext(Tagged(producer: 0, run: run, number: number, of: self.elements))
                    }
                    self.live.subtract(1, ordering: .relaxed)
                    observer.onError(FuzzError(place: "create"))
                }
                if self.isOnQueue {
                    _ = Schedulers.concurrent.scheduler.schedule(()) {
                        emit()
                        return Disposables.create()
                    }
                } else {
                    emit()
                }
                return Disposables.create()
            }
        }
    }
}
