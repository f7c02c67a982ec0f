import RxEngine
import SeededRandom
import Synchronization

extension StressTest {
    /// The sequence of windows or groups ends on one thread while another emits into them. The inner sequences that are
    /// subscribed to receive their elements without gaps and end with the source; then the source is released.
    static let outliving = StressTest("outlive") { random, report in
        let (isWindow, count) = (random.chance(50), random.within(1...5))
        let (elements, keys) = (random.within(3...40), random.within(1...3))
        let (endsByCount, disposes) = (random.chance(40), random.chance(40))
        let (scheduler, microseconds) = (random.pick(Schedulers.allCases), random.within(1...100))
        let (pause, seed) = (random.below(4000), random.next())
        let operation = isWindow ? "window(\(microseconds) µs, \(scheduler), count: \(count))" : "groupBy, \(keys) keys"
        report.describe(
            "\(operation), outer sequence ends \(endsByCount ? "after 1" : "on another thread"), \(elements) elements, "
                + "\(disposes ? "disposed on a third thread" : "never disposed"), pauses up to \(pause)")
        for round in 0..<50 {
            let (source, stop) = (PublishSubject<Tagged>(), PublishSubject<Void>())
            var guarantees = Guarantees()
            guarantees.mayCut()
            // The elements of groups that come after the outer sequence's end are lost.
            guarantees.isGapless = isWindow || keys == 1
            let inner =
                isWindow
                ? source.window(timeSpan: .microseconds(microseconds), count: count, scheduler: scheduler.scheduler)
                : source.groupBy { $0.number % keys }.map { $0.asObservable() }
            let outer = endsByCount ? inner.take(1) : inner.take(until: stop)
            let observer = CheckedObserver("round \(round)", guarantees) { report.violation($0) }
            let slot = SingleAssignmentDisposable()
            slot.setDisposable(observer.subscribe(to: outer.flatMap { $0 }))
            inParallel(3) { thread in
                var random = SplitMix64(seed: seed &+ UInt64(round * 10 + thread))
                if pause > 0 { spin(random.below(pause)) }
                switch thread {
                case 0:
                    for number in 0..<elements {
                        source.onNext(Tagged(producer: 0, number: number, of: elements))
                        if pause > 0, number % 4 == 0 { spin(random.below(pause)) }
                    }
                    source.onCompleted()
                case 1: stop.onNext(())
                default: if disposes { slot.dispose() }
                }
            }
            let isOver = waitUntil { observer.ending != .none || slot.isDisposed }
            report.require(isOver, "no end: \(observer.text)")
            report.require(waitUntil { !source.hasObservers }, "round \(round): the source was not released")
            report.require(waitUntil { observer.disposals == 1 }, "onDisposed did not run once: \(observer.text)")
            slot.dispose()
        }
    }
}
