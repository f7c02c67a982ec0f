import RxEngine
import Synchronization

/// Emitting changes, and recording them before.
extension FileRun {
    /// Continues the log of the previous process: emits the changes after the subscriber's position.
    func resumeLog(_ before: FileLog?) {
        guard log != nil else { return }
        if let before { log = before }
        let known = position.flatMap { $0.log == log?.id ? $0.number : nil } ?? 0
        if position == nil { log?.forget(upTo: known) } else { log?.acknowledge(upTo: known) }
        log?.advance(to: known)
        guard let log else { return }
        observer.onNext(.started(FilePosition(log: log.id, number: known)))
        for entry in log.all { emit(entry) }
    }

    /// Completes the start, when the state of the previous process was compared with the files. Changes may still be
    /// pending.
    func finishResuming() {
        if progress == .resuming { progress = .catchingUp }
        catchUp()
    }

    /// Emits ``FileReading/caughtUp`` once, when no change from before the start is pending any more.
    func catchUp() {
        guard progress == .catchingUp, settleTimer?.isEmpty ?? true, !isBehind else { return }
        progress = .caughtUp
        if log != nil, !isStopped.load(ordering: .acquiring) { observer.onNext(.caughtUp) }
    }

    /// Removes the changes up to a number, which the subscriber has stored.
    func acknowledge(upTo number: UInt64) {
        log?.acknowledge(upTo: number)
        acknowledgeAlarm.cancel()
        compareSkipped()
    }

    /// Emits a change, at once or when it has settled.
    func receive(_ change: FileChange) {
        if let settleTimer { settleTimer.receive(change, extra: pollingDelay) } else { emit(change) }
    }

    /// The additional time to settle for polled paths: only the next poll shows that there are no more changes.
    private var pollingDelay: Duration {
        guard request.settle < request.period * 2 else { return .zero }
        return roots.contains { core.roots[$0]?.isPolled == true } ? request.period * 1.5 : .zero
    }

    func emit(_ change: FileChange) {
        if isReplaced { return withheld.append(change) }
        let birth = change.exists ? core.creationStatus(of: change.path) : nil
        let change = change.withAttributes(of: birth)
        guard log != nil else {
            if !isStopped.load(ordering: .acquiring) {
                observer.onNext(.change(change, name: "", FilePosition(log: 0, number: 0), nil))
            }
            return
        }
        // The name must not depend on this run, since another run may continue its log.
        let name = birth.flatMap { change.identity($0) } ?? core.name(of: change)
        record(change, name, birth?.content ?? identityBeforeMove(of: change))
    }

    private func identityBeforeMove(of change: FileChange) -> FileIdentity? {
        guard change.exists else { return nil }
        return roots.lazy.compactMap { self.core.roots[$0]?.identityBeforeMove(at: change.path) }.first
    }

    /// Adds a change to the log and to the journal, and then emits it.
    func record(_ change: FileChange, _ name: String, _ identity: FileIdentity?) {
        guard let entry = log?.add(change, identity: name), let log else { return }
        core.journal(entry, of: log.id, identity)
        emit(entry)
    }

    private func emit(_ entry: FileLog.Entry) {
        guard let log, !isStopped.load(ordering: .acquiring) else { return }
        let position = FilePosition(log: log.id, number: entry.number)
        observer.onNext(.change(entry.change, name: entry.name, position, window?.enter(entry.change)))
    }
}
