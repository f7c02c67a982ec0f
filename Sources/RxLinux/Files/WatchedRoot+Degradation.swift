import Glibc

extension WatchedRoot {
    /// The errors for exhausted resources, which may be available again later.
    static let shortages: Set<Int32> = [ENOSPC, EMFILE, ENFILE, ENOMEM]

    /// Records that a directory could not be read, with the error in `errno`.
    func addUnreadable(_ directory: BytePath, _ node: FileTree.Node) {
        let number = errno
        // The directory was removed meanwhile.
        if number == ENOENT || number == ENOTDIR { return }
        if !Self.shortages.contains(number), node != FileTree.root, detection == .watched {
            unreadable.insert(node)
            degrade(SystemError(number, "reading \(directory)"), isPolled: false)
        } else {
            degrade(SystemError(number, "reading \(directory)"))
        }
    }

    /// Ends the degradation if the tree lacks nothing any more: no directory is unreadable, and no file was left out.
    func forgetUnreadable() {
        guard degradation?.isPolled == false, unreadable.isEmpty, !isFull else { return }
        degradation = nil
        reportedError = nil
    }

    /// Records that the path cannot be fully watched, and reports the reason once.
    ///
    /// Another root may be at the same path: the watcher then reports the degradation for the first one alone.
    ///
    /// - Parameters:
    ///   - error: the reason.
    ///   - isPolled: whether the whole path is polled from now on.
    func degrade(_ error: SystemError, isPolled: Bool = true) {
        guard degradation == nil || isPolled && !isUnwatchable else { return }
        let degradation = FileDegradation(path: path, error: error, isPolled: isPolled)
        let isKnown = core.degradations.contains(degradation)
        self.degradation = degradation
        guard reportedError != error.number else { return }
        reportedError = error.number
        if !isKnown { core.degraded(degradation) }
        onNotice(.degraded(degradation, isKnown: isKnown))
    }
}
