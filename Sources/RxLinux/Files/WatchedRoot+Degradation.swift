import Glibc

extension WatchedRoot {
    /// Of what there may be more another time.
    static let shortages: Set<Int32> = [ENOSPC, EMFILE, ENFILE, ENOMEM]

    /// Looking at something has failed, as `errno` says.
    func noteUnreadable(_ directory: BytePath, _ node: FileTree.Node) {
        let number = errno
        if number == EACCES, node != FileTree.root, look == .watched {
            unreadable.insert(node)
            degrade(SystemError(number, "looking into \(directory)"), isLookedAt: false)
        } else if number == EACCES || number == EMFILE || number == ENFILE {
            degrade(SystemError(number, "looking into \(directory)"))
        }
    }

    /// All may be read that could not be.
    func forgetUnreadable() {
        guard degradation?.isLookedAt == false, unreadable.isEmpty else { return }
        degradation = nil
        announced = nil
    }

    /// Not everything can be watched: looks now and then instead, where that is of use, and says why, once.
    func degrade(_ error: SystemError, isLookedAt: Bool = true) {
        guard degradation == nil || isLookedAt && !isBlind else { return }
        let degradation = FileDegradation(path: path, error: error, isLookedAt: isLookedAt)
        self.degradation = degradation
        guard announced != error.number else { return }
        announced = error.number
        core.degraded(degradation)
    }
}
