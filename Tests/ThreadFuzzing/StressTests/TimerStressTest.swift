import RxEngine
import SeededRandom
import Synchronization

extension StressTest {
    /// Timers are armed on several threads and cancelled on others. None fires twice, none fires once `dispose()` has
    /// returned on its own serial scheduler, and every timer that is not cancelled fires.
    static let timers = StressTest("timer") { random, report in
        let (threads, seed) = (random.within(2...4), random.next())
        let scheduler = random.pick(Schedulers.allCases)
        let longest = random.within(1...400)
        report.describe("\(threads) threads, up to \(longest) µs on \(scheduler.rawValue)")
        let armed = Locked<[ArmedTimer]>([])
        inParallel(threads) { thread in
            var random = SplitMix64(seed: seed &+ UInt64(thread))
            for _ in 0..<60 {
                switch random.below(4) {
                case 0, 1:
                    let timer = ArmedTimer(report)
                    timer.arm(.microseconds(random.below(longest)), scheduler.scheduler)
                    armed.withLock { $0.append(timer) }
                case 2: armed.withLock { $0.isEmpty ? nil : $0[random.below($0.count)] }?.cancel()
                default: spin(random.below(5000))
                }
            }
        }
        for timer in armed.value {
            report.require(
                waitUntil { timer.isCancelled || timer.fired == 1 }, "a timer that nobody cancelled has not fired")
            timer.cancel()
            report.require(timer.fired <= 1, "a timer fired \(timer.fired) times")
        }
    }
}

private final class ArmedTimer: Sendable {
    private let report: StressTest.Report
    private let slot = SingleAssignmentDisposable()
    private let cancelled = Atomic(false)
    private let count = Atomic(0)

    init(_ report: StressTest.Report) {
        self.report = report
    }

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }
    var fired: Int { count.load(ordering: .relaxed) }

    func arm(_ time: RxTimeInterval, _ scheduler: any SchedulerType) {
        slot.setDisposable(
            scheduler.scheduleRelative((), dueTime: time) {
                self.count.add(1, ordering: .relaxed)
                return Disposables.create()
            })
    }

    func cancel() {
        cancelled.store(true, ordering: .relaxed)
        slot.dispose()
    }
}
