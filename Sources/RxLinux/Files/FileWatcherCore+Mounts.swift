extension FileWatcherCore {
    /// Begins to take in what is mounted and unmounted.
    func watchMounts() {
        guard mounts == nil else { return }
        mounts = MountTable(on: queue) { [weak self] changed in
            guard let self, !handoverState.isOver else { return }
            findPolledMounts()
            guard !handoverState.isHeldUp else { return }
            willChange()
            for root in roots.values { root.mountsChanged(changed) }
            scheduleTick()
        }
        findPolledMounts()
    }

    private func findPolledMounts() {
        polledMounts = mounts?.mounts.filter { kindOfMount($0.type) == .polled } ?? []
    }

    /// Nothing is watched any more.
    func forgetMounts() {
        mounts = nil
        polledMounts = []
    }
}
