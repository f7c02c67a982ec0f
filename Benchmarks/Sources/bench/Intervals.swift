import Dispatch
import Glibc
import RxEngine

/// Measures periodic timers: the processor time of many intervals, compared with a dispatch source for each.
///
/// - Returns: lines of text, one for each way of starting them and each of the two.
func measureIntervals(count: Int = 2_000, period: Int = 10, seconds: UInt32 = 2) -> [String] {
    ["started together": 0, "spread evenly": period * 1_000 / count].sorted { $0.key > $1.key }.flatMap { how, gap in
        let ours = share(ofCoreFor: seconds) {
            let scheduler = SerialDispatchQueueScheduler(internalSerialQueueName: "bench")
            let intervals = (0..<count).map { index in
                Observable<Int>.timer(
                    .microseconds(period * 1_000 + index * gap), period: .milliseconds(period), scheduler: scheduler
                ).subscribe(onNext: drain.take)
            }
            return { intervals.forEach { $0.dispose() } }
        }
        let sources = share(ofCoreFor: seconds) {
            let queue = DispatchQueue(label: "bench")
            let timers = (0..<count).map { index in
                let timer = DispatchSource.makeTimerSource(queue: queue)
                timer.schedule(
                    deadline: .now() + .microseconds(period * 1_000 + index * gap), repeating: .milliseconds(period),
                    leeway: .nanoseconds(0))
                timer.setEventHandler { drain.take(index) }
                timer.activate()
                return timer
            }
            return { timers.forEach { $0.cancel() } }
        }
        return ["\(count) intervals of \(period) ms, \(how): \(ours) % of a core; dispatch sources: \(sources) %"]
    }
}

/// The share of a core's time that is used while the result of `start` runs, in per cent.
private func share(ofCoreFor seconds: UInt32, start: () -> () -> Void) -> Int {
    let stop = start()
    let before = processorTime()
    _ = sleep(seconds)
    let used = processorTime() - before
    stop()
    return Int((used * 100 / Double(seconds)).rounded())
}

private func processorTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
}
