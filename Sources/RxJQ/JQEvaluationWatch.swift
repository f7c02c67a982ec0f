import Dispatch
import RxDiagnostics
import RxEngine
import Synchronization

/// A watchdog that reports, and then stops, evaluations that take too long or too much memory.
///
/// libjq has no such limits: `last(repeat(.))` never ends. The watch inspects every state a few times a second, and
/// only while expressions are evaluated. It first reports a state that stays in the same evaluation for too long, and
/// later stops it. An evaluation in another process is only reported: that process stops it.
final class JQEvaluationWatch: Sendable {
    let limits: JQLimits
    private let report: @Sendable (JQSlowRun) -> Void
    private let queue = DispatchQueue(label: "rx.expressions")
    private let isAwake = Atomic(false)
    private let runs = Locked<[ObjectIdentifier: JQWatchedRun]>([:])
    private let remoteRuns = Locked<(latest: UInt64, runs: [UInt64: JQRemoteRun])>((0, [:]))

    /// Creates a watch that calls `report`, on any thread, with every evaluation that takes long.
    init(_ limits: JQLimits, _ report: @escaping @Sendable (JQSlowRun) -> Void) {
        self.limits = limits
        self.report = report
    }

    func add(_ control: JQRunControl) {
        runs.withLock { $0[ObjectIdentifier(control)] = JQWatchedRun(control) }
    }

    /// Stops watching a state, before it is freed.
    func remove(_ control: JQRunControl) {
        runs.withLock { $0[ObjectIdentifier(control)] = nil }
    }

    /// Starts inspecting, if the watch sleeps. Called when an evaluation begins.
    func wake() {
        if isAwake.load(ordering: .sequentiallyConsistent) { return }
        if isAwake.exchange(true, ordering: .sequentiallyConsistent) { return }
        queue.async { self.schedule(after: self.limits.inspectionInterval, idleInspections: 0) }
    }

    /// Ends an evaluation that the watch may have noticed, and reports its end if its slowness was reported.
    ///
    /// - Returns: why it was stopped; `nil` if it was not.
    func end(_ control: JQRunControl) -> JQStop? {
        let (stop, slow) = runs.withLock { runs -> (JQStop?, JQSlowRun?) in
            let word = control.word.load(ordering: .relaxed)
            control.endNoticed()
            guard let run = runs[ObjectIdentifier(control)], run.isAt(word) else { return (nil, nil) }
            return (run.stop, run.slowRun(run.stop == nil ? .ended : .stopped))
        }
        if let slow { report(slow) }
        return stop
    }

    /// Calls `body`, which evaluates an expression in another process, and reports the evaluation if it takes long.
    ///
    /// - Parameter place: the location of the expression.
    func remotely<Result>(_ locationCell: SourceLocationCell, _ body: () throws(JQError) -> Result) throws(JQError)
        -> Result
    {
        let number = remoteRuns.withLock { remote in
            remote.latest += 1
            remote.runs[remote.latest] = JQRemoteRun(locationCell)
            return remote.latest
        }
        wake()
        do throws(JQError) {
            let result = try body()
            endRemote(number, isStopped: false)
            return result
        } catch {
            endRemote(number, isStopped: true)
            throw error
        }
    }

    private func endRemote(_ number: UInt64, isStopped: Bool) {
        let run = remoteRuns.withLock { $0.runs.removeValue(forKey: number) }
        if let slow = run?.end(isStopped: isStopped) { report(slow) }
    }

    /// Calls `body` under the watch's lock, so that the watch stops nothing meanwhile.
    func exclusively(_ body: () -> Void) {
        runs.withLock { _ in body() }
    }

    /// Inspects the states after a pause, and repeats that until ten inspections in a row have found no new evaluation.
    private func schedule(after pause: Duration, idleInspections: Int) {
        let nanoseconds = Int(pause / .nanoseconds(1))
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
            let found = self.inspect(after: pause)
            for slow in found.slow { self.report(slow) }
            switch found.activity {
            case .running: return self.schedule(after: self.limits.shortInspectionInterval, idleInspections: 0)
            case .ended: return self.schedule(after: self.limits.inspectionInterval, idleInspections: 0)
            case .none where idleInspections < 10:
                return self.schedule(after: self.limits.inspectionInterval, idleInspections: idleInspections + 1)
            case .none: break
            }
            self.isAwake.store(false, ordering: .sequentiallyConsistent)
            // An evaluation that began before the store above has not woken the watch; see `JQRunControl.take`.
            if self.isAnyTaken { self.wake() }
        }
    }

    private var isAnyTaken: Bool {
        if remoteRuns.withLock({ !$0.runs.isEmpty }) { return true }
        return runs.withLock { runs in
            runs.values.contains { !JQRunControl.isFree($0.control.word.load(ordering: .sequentiallyConsistent)) }
        }
    }

    /// The most that any evaluation has done since the previous inspection.
    private enum Activity: Comparable {
        case none
        /// Some have begun, and all have ended.
        case ended
        case running
    }

    /// Inspects every state; `pause` is the time since the previous inspection.
    private func inspect(after pause: Duration) -> (slow: [JQSlowRun], activity: Activity) {
        var slow: [JQSlowRun] = []
        var activity = Activity.none
        runs.withLock { runs in
            for index in runs.values.indices {
                let word = runs.values[index].control.word.load(ordering: .acquiring)
                if runs.values[index].isAt(word) {
                    guard word & JQRunControl.isRunning != 0 else { continue }
                    activity = .running
                    if let found = runs.values[index].addRunning(after: pause, limits) { slow.append(found) }
                } else {
                    activity = max(activity, word & JQRunControl.isRunning != 0 ? .running : .ended)
                    runs.values[index].begin(word)
                }
            }
        }
        remoteRuns.withLock { remote in
            for index in remote.runs.values.indices {
                activity = .running
                if let found = remote.runs.values[index].inspect(after: pause, limits) { slow.append(found) }
            }
        }
        return (slow, activity)
    }
}
