// Measures many intervals of one second: `intervals COUNT SECONDS KIND`, the kind being spread, together, jitter or
// aligned. Prints the share of one core, the ticks and the latest delay, on one line.

import Glibc
import RxEngine
import RxLinux
import Synchronization

guard CommandLine.arguments.count == 4, let count = Int(CommandLine.arguments[1]),
    let seconds = Int(CommandLine.arguments[2])
else {
    print("usage: intervals COUNT SECONDS spread|together|jitter|aligned")
    exit(2)
}
let kind = CommandLine.arguments[3]
let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "intervals")
let ticks = Atomic(0)
let latest = Atomic<Int64>(0)
let bag = CompositeDisposable()

func schedule(_ number: Int) -> TickSchedule {
    let part = Duration.nanoseconds(Int64(number) * 1_000_000_000 / Int64(count))
    switch kind {
    case "together": return TickSchedule(every: .seconds(1), delay: .seconds(1))
    case "jitter": return TickSchedule(every: .seconds(1), delay: .seconds(1), jitter: .milliseconds(500))
    case "aligned": return TickSchedule(every: .seconds(1), delay: part, align: .utc)
    default: return TickSchedule(every: .seconds(1), delay: .seconds(1) + part)
    }
}

for number in 0..<count {
    let begin = scheduler.elapsed
    let schedule = schedule(number)
    let subscription = Observable.ticks(schedule, scheduler: scheduler).subscribe(onNext: { tick in
        ticks.add(1, ordering: .relaxed)
        guard schedule.align == nil, schedule.jitter == .zero else { return }
        let late = scheduler.elapsed - begin - schedule.delay - schedule.every * tick
        latest.max(late.nanoseconds, ordering: .relaxed)
    })
    _ = bag.insert(subscription)
}

/// The processor time of this process, in seconds.
func spent() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1_000_000
}

// The first second includes starting them.
sleep(2)
let (before, ticksBefore, begin) = (spent(), ticks.load(ordering: .relaxed), ContinuousClock.now)
latest.store(0, ordering: .relaxed)
sleep(UInt32(seconds))
let passed = (ContinuousClock.now - begin) / .seconds(1)
let share = (spent() - before) / passed * 100
let rate = Double(ticks.load(ordering: .relaxed) - ticksBefore) / passed
print(
    (share * 100).rounded() / 100, Int(rate.rounded()), Double(latest.load(ordering: .relaxed) / 1000) / 1000,
    separator: "\t")
bag.dispose()

extension Duration {
    var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
