/// A run that replaces another run, as its subscriber replaces that run's subscriber.
extension FileRun {
    /// Replaces a run: takes over its state of each path that both watch in the same way, and its pending changes.
    func replace(_ other: FileRun, after position: FilePosition, _ receive: @escaping (FileChange) -> Void) {
        replaced = other
        repeatLog(of: other, after: position)
        var behind: [WatchedRoot] = []
        for path in request.paths {
            let before = other.roots.lazy.compactMap { [core] in core.roots[$0] }.first { [request] in
                $0.isWatched(as: request, at: path)
            }
            guard let before else {
                add(path, receive)
                continue
            }
            let root = before.isBehind ? before.copy(for: request, on: core) : before.copySharingWatches(for: request)
            roots.append(root.number)
            inherited.append(root.number)
            guard !before.isBehind else {
                behind.append(root)
                continue
            }
            prepare(root)
            core.join(root, receive)
            core.scheduleTick()
        }
        takePending(of: other) { [inherited] in inherited.contains($0) }
        resume(behind, receive)
        // From now on, this run emits the changes of the roots that were behind.
        other.isReplaced = !behind.isEmpty
    }

    /// Starts emitting in place of the replaced run, which has emitted all changes from before this run.
    func takeOverEmitting() {
        guard let other = replaced, let position else { return }
        // This run was notified of later changes in the roots that both have, so they are not repeated.
        let shared = inherited.compactMap { core.roots[$0] }
        repeatLog(of: other, after: position) { change in !shared.contains { $0.below(change.path) != nil } }
        takePending(of: other) { [inherited] in !inherited.contains($0) }
        other.isReplaced = true
        inherited = []
    }

    /// Emits the other run's changes after the position again, under the same names, since its subscriber may not have
    /// received them.
    private func repeatLog(
        of other: FileRun, after position: FilePosition, where isWanted: (FileChange) -> Bool = { _ in true }
    ) {
        for entry in other.log?.all ?? [] where entry.number > max(position.number, repeated) {
            repeated = entry.number
            guard isWanted(entry.change) else { continue }
            record(entry.change, entry.name, nil)
        }
    }

    /// Takes over the other run's pending changes in some roots of this run.
    private func takePending(of other: FileRun, where isWanted: (Int32) -> Bool) {
        let wanted = roots.filter(isWanted).compactMap { core.roots[$0] }
        for change in other.pending where wanted.contains(where: { $0.wants(change.path) }) { receive(change) }
    }

    func resume(_ roots: [WatchedRoot], _ receive: @escaping (FileChange) -> Void) {
        for root in roots {
            prepare(root)
            core.resume(root, receive)
            // If another run of this process had the root, that run has emitted the notice.
            if replaced == nil, let notice = root.notice { onNotice(notice) }
        }
    }

    /// Lets the run continue that this one was to replace.
    func continueReplaced() {
        guard let replaced else { return }
        if replaced.core === core { replaced.resume() } else { replaced.perform { replaced.resume() } }
    }

    /// Continues to emit, after the run that was to replace this one has ended first.
    func resume() {
        isReplaced = false
        core.willChange()
        for change in withheld { emit(change) }
        withheld = []
        compareSkipped()
        catchUp()
    }
}
