import RxEngine
import Synchronization

/// Back-pressure: while the subscriber has too many changes, further ones are skipped, and a comparison finds them
/// later.
extension FileRun {
    /// Whether there is room for more changes. The first time that there is none, ``FileReading/suspended(_:)`` is
    /// emitted.
    var hasRoom: Bool {
        let isLogFull = log?.isFull == true
        guard
            isLogFull || window?.isFull == true || settleTimer.map({ $0.count >= limit }) == true
                || withheld.count >= limit
        else { return true }
        if !isSuspended, !isStopped.load(ordering: .acquiring) {
            isSuspended = true
            observer.onNext(.suspended(isLogFull ? FileLog.maximum : limit))
        }
        if isLogFull {
            acknowledgeAlarm.set(after: FileLog.acknowledgeTimeout) { [weak self] in
                self?.log?.giveUp()
                self?.compareSkipped()
            }
        }
        return false
    }

    /// Whether changes were skipped.
    var isBehind: Bool { roots.contains { core.roots[$0]?.isBehind == true } }

    /// Compares the files whose changes were skipped, if there is room again.
    func compareSkipped() {
        guard isBehind, !isReplaced, !core.handoverState.isOver, !isStopped.load(ordering: .acquiring),
            window?.isHalfFree ?? true, log?.isHalfFree ?? true, settleTimer.map({ $0.count <= limit / 2 }) ?? true
        else { return }
        core.willChange()
        for root in roots { core.roots[root]?.compareSkipped() }
        core.scheduleTick()
        guard !isBehind else { return }
        isSuspended = false
        catchUp()
        passBarriers()
    }
}
