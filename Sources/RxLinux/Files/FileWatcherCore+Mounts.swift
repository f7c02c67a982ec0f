extension FileWatcherCore {
    /// Starts watching for mounts and unmounts.
    func watchMounts() {
        guard mounts == nil else { return }
        mounts = MountTable(on: queue) { [weak self] in self?.mountsChanged($0) }
        findPolledMounts()
    }

    private func mountsChanged(_ changed: Set<Mount>) {
        guard !handoverState.isOver else { return }
        findPolledMounts()
        guard !handoverState.isQueueUnread else { return }
        willChange()
        // First, so that this core accesses no network file system of other cores.
        if changed.contains(where: { kindOfMount($0.type) == .polled }) { moveRuns() }
        for root in roots.values { root.mountsChanged(changed) }
        scheduleTick()
    }

    /// Moves the runs that need another core by now.
    func moveRuns() {
        for run in handoverState.runs.compactMap(\.run) { run.moveIfNeeded() }
    }

    /// Whether to follow the symbolic link at a path: only the cores of network file systems follow links that lead
    /// there.
    func follows(_ link: BytePath) -> Bool {
        isRemote || RemoteMounts(polledMounts).touched(by: link, recursive: false).isEmpty
    }

    private func findPolledMounts() {
        polledMounts = mounts?.mounts.filter { kindOfMount($0.type) == .polled } ?? []
    }

    /// Stops watching for mounts and unmounts, when there are no roots any more.
    func forgetMounts() {
        mounts = nil
        polledMounts = []
    }
}
