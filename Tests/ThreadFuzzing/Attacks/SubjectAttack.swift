import RxEngine
import Synchronization

extension Attack {
    /// One thread emits while others subscribe and unsubscribe all the time. Whoever stays receives everything in order;
    /// the others receive what comes while they are there, without gaps.
    static let subject = Attack("subject") { random, report in
        var producer = 0
        var plan = HotPlan(&random, &producer, count: random.within(300...1500))
        if plan.kind == .merged || plan.kind == .asyncSubject {
            plan.kind = .publishSubject
            plan.producers = [0]
        }
        let (threads, steady) = (random.within(1...3), random.within(0...2))
        let (pause, seed) = (random.chance(50) ? 0 : random.below(500), random.next())
        report.describe("\(plan.text), \(threads) threads, \(steady) who stay, pauses of \(pause)")
        let source = plan.make()
        var guarantees = plan.guarantees
        let staying = (0..<steady).map { number in
            Witness("steady \(number)", guarantees) { report.violation($0) }
        }
        let subscriptions = staying.map { $0.subscribe(to: source.observable) }
        guarantees.isComplete = false
        inParallel(threads + 1) { [plan, guarantees] thread in
            var random = Randomness(seed: seed &+ UInt64(thread))
            if thread == 0 {
                let inlet = source.inlets[0]
                for number in inlet.first..<plan.count {
                    inlet.next(Tagged(producer: inlet.producer, number: number, of: plan.count))
                    if pause > 0 { spin(random.below(pause)) }
                }
                inlet.end()
                return
            }
            for number in 0..<150 {
                let witness = Witness("thread \(thread), \(number)", guarantees) { report.violation($0) }
                let slot = SingleAssignmentDisposable()
                let last = random.chance(50) ? random.within(1...5) : nil
                slot.setDisposable(
                    witness.subscribe(to: source.observable) { if $0 == last { slot.dispose() } })
                if random.chance(50) { spin(random.below(3000)) }
                slot.dispose()
                report.require(waitUntil { witness.disposals == 1 }, "onDisposed did not run once: \(witness.text)")
            }
        }
        for witness in staying {
            if plan.guarantees.ends {
                report.require(witness.ending != .none, "no end: \(witness.text)")
                witness.checkCompleteness()
            } else {
                report.require(
                    witness.count == plan.count || plan.kind == .replaySubject, "elements missing: \(witness.text)")
            }
        }
        for subscription in subscriptions { subscription.dispose() }
    }
}
