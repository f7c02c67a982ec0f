import RxEngine
import SeededRandom
import Synchronization

extension StressTest {
    /// One thread emits while others subscribe and unsubscribe all the time. A subscriber that stays receives
    /// everything in order; the others receive what is emitted while they are subscribed, without gaps.
    static let subject = StressTest("subject") { random, report in
        var producer = 0
        var plan = HotPlan(&random, &producer, count: random.within(300...1500))
        if plan.kind == .merged || plan.kind == .asyncSubject {
            plan.kind = .publishSubject
            plan.producers = [0]
        }
        let (threads, steady) = (random.within(1...3), random.within(0...2))
        let (pause, seed) = (random.chance(50) ? 0 : random.below(500), random.next())
        report.describe("\(plan.text), \(threads) threads, \(steady) that stay, pauses of \(pause)")
        let source = plan.make()
        var guarantees = plan.guarantees
        let staying = (0..<steady).map { number in
            CheckedObserver("steady \(number)", guarantees) { report.violation($0) }
        }
        let subscriptions = staying.map { $0.subscribe(to: source.observable) }
        guarantees.isComplete = false
        inParallel(threads + 1) { [plan, guarantees] thread in
            var random = SplitMix64(seed: seed &+ UInt64(thread))
            if thread == 0 {
                let input = source.inputs[0]
                for number in input.first..<plan.count {
                    input.next(Tagged(producer: input.producer, number: number, of: plan.count))
                    if pause > 0 { spin(random.below(pause)) }
                }
                input.end()
                return
            }
            for number in 0..<150 {
                let observer = CheckedObserver("thread \(thread), \(number)", guarantees) { report.violation($0) }
                let slot = SingleAssignmentDisposable()
                let last = random.chance(50) ? random.within(1...5) : nil
                slot.setDisposable(
                    observer.subscribe(to: source.observable) { if $0 == last { slot.dispose() } })
                if random.chance(50) { spin(random.below(3000)) }
                slot.dispose()
                report.require(waitUntil { observer.disposals == 1 }, "onDisposed did not run once: \(observer.text)")
            }
        }
        for observer in staying {
            if plan.guarantees.ends {
                report.require(observer.ending != .none, "no end: \(observer.text)")
                observer.checkCompleteness()
            } else {
                report.require(
                    observer.count == plan.count || plan.kind == .replaySubject, "elements missing: \(observer.text)")
            }
        }
        for subscription in subscriptions { subscription.dispose() }
    }
}
