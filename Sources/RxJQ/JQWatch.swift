import Dispatch
import RxEngine
import Synchronization

/// Sees to it that evaluations end.
///
/// libjq knows no bound: `last(repeat(.))` goes on for ever. The watch looks, a few times a second and only while
/// expressions are evaluated, at what each state is doing. What it finds at the same evaluation for too long it tells
/// of, and then stops.
final class JQWatch: Sendable {
    let limits: JQLimits
    private let report: @Sendable (JQSlowRun) -> Void
    private let queue = DispatchQueue(label: "rx.expressions")
    private let isAwake = Atomic(false)
    private let runs = Locked<[ObjectIdentifier: JQWatchedRun]>([:])

    /// `report` is called with what takes long, on any thread.
    init(_ limits: JQLimits, _ report: @escaping @Sendable (JQSlowRun) -> Void) {
        self.limits = limits
        self.report = report
    }

    func add(_ mark: JQMark) {
        runs.withLock { $0[ObjectIdentifier(mark)] = JQWatchedRun(mark) }
    }

    /// The state is about to go.
    func remove(_ mark: JQMark) {
        runs.withLock { $0[ObjectIdentifier(mark)] = nil }
    }

    /// An evaluation begins.
    func wake() {
        if isAwake.load(ordering: .sequentiallyConsistent) { return }
        if isAwake.exchange(true, ordering: .sequentiallyConsistent) { return }
        queue.async { self.sleep(for: self.limits.look, looksInVain: 0) }
    }

    /// An evaluation that was noticed, or may have been, is over.
    ///
    /// - Returns: why it was stopped, where it was.
    func end(_ mark: JQMark) -> JQStop? {
        let (stop, slow) = runs.withLock { runs -> (JQStop?, JQSlowRun?) in
            let word = mark.word.load(ordering: .relaxed)
            mark.endNoticed()
            guard let run = runs[ObjectIdentifier(mark)], run.isAt(word) else { return (nil, nil) }
            return (run.stop, run.told(run.stop == nil ? .ended : .stopped))
        }
        if let slow { report(slow) }
        return stop
    }

    /// Keeps the watch from stopping anything while `body` runs.
    func exclusively(_ body: () -> Void) {
        runs.withLock { _ in body() }
    }

    private func sleep(for pause: Duration, looksInVain: Int) {
        let nanoseconds = Int(pause / .nanoseconds(1))
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
            let found = self.look(after: pause)
            for slow in found.slow { self.report(slow) }
            if found.isSame { return self.sleep(for: self.limits.closeLook, looksInVain: 0) }
            if found.isNew || looksInVain < 10 {
                return self.sleep(for: self.limits.look, looksInVain: found.isNew ? 0 : looksInVain + 1)
            }
            self.isAwake.store(false, ordering: .sequentiallyConsistent)
            // One that began before that has not woken the watch.
            if self.isAnyTaken { self.wake() }
        }
    }

    private var isAnyTaken: Bool {
        runs.withLock { runs in
            runs.values.contains { !JQMark.isFree($0.mark.word.load(ordering: .sequentiallyConsistent)) }
        }
    }

    /// Looks at every state; `pause` is how long after the last look.
    private func look(after pause: Duration) -> (slow: [JQSlowRun], isSame: Bool, isNew: Bool) {
        var slow: [JQSlowRun] = []
        var (isSame, isNew) = (false, false)
        runs.withLock { runs in
            for index in runs.values.indices {
                let word = runs.values[index].mark.word.load(ordering: .acquiring)
                if runs.values[index].isAt(word) {
                    guard word & JQMark.isRunning != 0 else { continue }
                    isSame = true
                    if let found = runs.values[index].goesOn(after: pause, limits) { slow.append(found) }
                } else {
                    isNew = true
                    if word & JQMark.isRunning != 0 { isSame = true }
                    runs.values[index].begin(word)
                }
            }
        }
        return (slow, isSame, isNew)
    }
}
