extension WatchedRoot {
    /// The time after which writes to a file are emitted although it is not closed.
    static let writeReportDelay = Duration.seconds(1)

    /// Whether ``tick(_:)`` may have something to do.
    var isWaiting: Bool { !unpairedMoves.isEmpty || !beingWritten.isEmpty || !possiblyOpen.isEmpty }

    /// Handles the unpaired moves, writes and closings that are due.
    ///
    /// - Returns: the time at which the next one is due; `nil` if there is none.
    func tick(_ now: SuspendingClock.Instant) -> SuspendingClock.Instant? {
        guard isWaiting, !isSkippingChanges() else { return nil }
        emitRemovals(before: now - Self.moveTimeout)
        // A node that is being moved has no path.
        for (node, since) in beingWritten
        where since <= now - Self.writeReportDelay && moveCookie(in: tree?.path(of: node) ?? []) == nil {
            beingWritten[node] = nil
            if rootFile?.isDirectory == false {
                check()
            } else if let path = tree?.path(of: node) {
                if let identity = FileIdentity(of: whole(path)) { tree?.setIdentity(of: node, identity) }
                // Clear the flag, so that the close does not emit the same write again.
                tree?.set(node, .isBeingWritten, false)
                emit(.modified, path, isDirectory: false)
            }
        }
        for (node, since) in possiblyOpen
        where since <= now - closingDelay && moveCookie(in: tree?.path(of: node) ?? []) == nil {
            emitClosed(node, isSynthetic: true)
        }
        let closings = possiblyOpen.values.map { max(now, $0 + closingDelay) }
        let moves = unpairedMoves.values.map { $0.since + Self.moveTimeout }
        let writes = beingWritten.values.map { max(now, $0 + Self.writeReportDelay) }
        return (moves + writes + closings).min()
    }
}
