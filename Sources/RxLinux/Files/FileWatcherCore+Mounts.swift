extension FileWatcherCore {
    /// Starts watching for mounts and unmounts.
    func watchMounts() {
        guard mounts == nil else { return }
        mounts = MountTable(on: queue) { [weak self] in self?.mountsChanged($0) }
        findMounts()
    }

    private func mountsChanged(_ changed: Set<Mount>) {
        guard !handoverState.isOver else { return }
        let before = blocking
        findMounts()
        guard !handoverState.isQueueUnread else { return }
        willChange()
        // First, so that this core accesses no mount of other cores.
        if blocking != before { moveRuns() }
        for root in roots.values { root.mountsChanged(changed) }
        scheduleTick()
    }

    /// Moves the runs that need another core by now.
    func moveRuns() {
        for run in handoverState.runs.compactMap(\.run) { run.moveIfNeeded() }
    }

    /// Returns the identity of a symbolic link that leads to a mount of another core, which may block: the path there.
    /// Returns `nil` for other links, which may be followed.
    func identity(ofUnfollowed link: BytePath) -> FileIdentity? {
        blocking.end(of: link, accessible: groups).map(FileIdentity.init(target:))
    }

    private func findMounts() {
        let all = mounts?.mounts ?? []
        polledMounts = all.filter { kindOfMount($0.type) == .server }
        blocking = BlockingMounts(among: all, kindOfMount)
    }

    /// Stops watching for mounts and unmounts, when there are no roots any more.
    func forgetMounts() {
        mounts = nil
        polledMounts = []
        blocking = .none
    }
}
