import Glibc

extension FileWatcherCore {
    /// The shortest and the longest delay between a change and the writing of the snapshot.
    private static let writing: (minimum: Duration, maximum: Duration) = (.milliseconds(20), .seconds(5))

    // MARK: runs

    func begin(_ run: FileRun) throws(SystemError) {
        if handoverState.isOver { throw SystemError(ESHUTDOWN, "watching files") }
        handoverState.runs.removeAll { $0.run == nil }
        handoverState.runs.append(FileHandoverState.WeakRun(run: run))
        guard handoverState.isResuming else { return }
        handoverState.resumeAlarm.set(after: handoverState.subscribeTimeout) { [weak self] in self?.finishResuming() }
    }

    /// Removes a run that has ended.
    ///
    /// - Returns: whether the run is kept for another run of the same request, while the watcher is still resuming.
    func end(_ run: FileRun) -> Bool {
        if handoverState.isOver { return false }
        handoverState.runs.removeAll { $0.run == nil || $0.run === run }
        if handoverState.isResuming { handoverState.endedRuns.append(run) }
        return handoverState.isResuming
    }

    /// Whether the core has runs that have not ended.
    var hasRuns: Bool { handoverState.runs.contains { $0.run != nil } }

    // MARK: snapshot

    /// Marks the snapshot as stale before the state changes, and schedules writing it.
    func willChange() {
        handoverState.isSaved = false
        lastBirth = nil
        guard let snapshot = handoverState.snapshot, !handoverState.isOver else { return }
        snapshot.markStale()
        guard !handoverState.isWritingDue else { return }
        handoverState.isWritingDue = true
        let delay = min(Self.writing.maximum, max(Self.writing.minimum, handoverState.cost * 50))
        handoverState.writeAlarm.set(after: delay) { [weak self] in self?.writeSnapshot() }
    }

    /// Writes the snapshot. If that fails, the previous one stays, marked as stale.
    private func writeSnapshot() {
        handoverState.isWritingDue = false
        // While uncertain, the unread events in the queue follow the old snapshot.
        guard let snapshot = handoverState.snapshot, !handoverState.isOver, !handoverState.isUncertain else { return }
        let begin = SuspendingClock.now
        try? snapshot.write { write(to: &$0) }
        handoverState.cost = .now - begin
    }

    private func write(to snapshot: inout WatchSnapshotWriter) {
        snapshot.put(Self.boot)
        // Without a complete journal, the next process cannot know the changes that are emitted after this snapshot.
        snapshot.put(handoverState.journal.map { $0.isWhole ? $0.number : 0 } ?? 0)
        // The next process may resume requests that no run of this process has resumed.
        let runs = (handoverState.runs.compactMap(\.run) + handoverState.endedRuns).map(\.runState)
        snapshot.put(each: runs + handoverState.previousRuns) { snapshot, run in
            run.request.write(to: &snapshot)
            snapshot.put(each: run.pending) { $1.write(to: &$0) }
            snapshot.put(each: run.roots) { $1.write(to: &$0) }
            snapshot.put(run.isLive)
            snapshot.put(run.log) { $1.write(to: &$0) }
        }
    }

    /// Returns the state for the next process, with that of other cores.
    func handover(others: [String: FileHandover] = [:]) throws(SystemError) -> FileHandover {
        try open()
        if handoverState.snapshot == nil {
            let snapshot = try WatchSnapshot()
            FileHandover.makePair(descriptor, snapshot.file)
            handoverState.snapshot = snapshot
        }
        writeSnapshot()
        let queue = try Descriptor.duplicate(descriptor)
        let snapshot = try Descriptor.duplicate(handoverState.snapshot?.file ?? -1)
        return FileHandover(inotify: queue.release(), snapshot: snapshot.release(), others: others)
    }

    /// Writes the snapshot to a new file beside `path`, for ``place(_:at:)``. Calls must not overlap, since the new
    /// file's name is always the same.
    ///
    /// - Returns: the descriptor of the new file.
    func writeCopy(beside path: BytePath) throws(SystemError) -> Int32 {
        let begin = SuspendingClock.now
        if path != handoverState.path { handoverState.journal?.end() }
        if path == handoverState.path, handoverState.journal != nil {
            handoverState.journal?.beginNext()
        } else {
            handoverState.journal = ChangeJournal(beside: path)
            // The snapshot for the handover does not have the new journal's number yet.
            writeSnapshot()
        }
        let fresh = Self.fresh(path)
        // Remove a file that a previous process or another program has left: opening a FIFO would block.
        _ = fresh.withCString { unlink($0) }
        let file = try Descriptor(
            fresh.withCString { Glibc.open($0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) },
            "saving the snapshot of watched files in \(fresh)")
        do throws(SystemError) {
            try WatchSnapshot.write(copyTo: file.number) { write(to: &$0) }
        } catch {
            _ = fresh.withCString { unlink($0) }
            throw error
        }
        (handoverState.path, handoverState.isSaved, handoverState.save) = (path, true, (.now, .now - begin))
        return file.release()
    }

    /// Appends a change to the journal, before it is emitted.
    func journal(_ entry: FileLog.Entry, of log: UInt64, _ identity: FileIdentity?) {
        handoverState.journal?.add(ChangeJournal.Entry(log: log, entry: entry, identity: identity))
    }

    /// The next step of saving the snapshot.
    enum SaveStep: Sendable {
        /// No step: the snapshot is saved.
        case isSaved
        /// Save later, since the latest save was recent compared with the time that it took.
        case wait(Duration)
        /// Put the file that ``writeCopy(beside:)`` has written in place.
        case place(Int32, at: BytePath)
    }

    /// Writes the snapshot with ``writeCopy(beside:)``, if there is a path and something has changed. Also writes a
    /// stale snapshot for the handover.
    ///
    /// - Parameter isUrgent: whether to write in any case. If not, writing takes at most a fiftieth of the time.
    func saveChanges(isUrgent: Bool) throws(SystemError) -> SaveStep {
        guard let path = handoverState.path, !handoverState.isSaved, !handoverState.isOver else { return .isSaved }
        if !isUrgent, let save = handoverState.save {
            let wait = save.cost * 50 - (SuspendingClock.now - save.time)
            if wait > .zero { return .wait(wait) }
        }
        let begin = SuspendingClock.now
        if handoverState.snapshot?.isStale == true { writeSnapshot() }
        let file = try writeCopy(beside: path)
        handoverState.save = (.now, .now - begin)
        return .place(file, at: path)
    }

    /// Writes the snapshot with ``saveChanges(isUrgent:)``, and puts the file in place.
    func saveAndPlace(isUrgent: Bool) throws(SystemError) -> Duration? {
        switch try saveChanges(isUrgent: isUrgent) {
        case .isSaved: return nil
        case .wait(let span): return span
        case .place(let file, let path):
            do throws(SystemError) {
                try Self.place(file, at: path)
            } catch {
                handoverState.isSaved = false
                throw error
            }
            placed()
            return nil
        }
    }

    /// Saves the state of a run that has moved to this core, before the core accesses its files, which may block: this
    /// process may end meanwhile.
    func saveMovedRun() {
        if handoverState.snapshot?.isStale == true { writeSnapshot() }
        if !isHost { _ = try? saveAndPlace(isUrgent: true) }
    }

    /// Deletes the journals before the current one, after the latest snapshot was put in place.
    func placed() {
        handoverState.journal?.snapshotIsPlaced()
    }

    /// Renames a file that ``writeCopy(beside:)`` has written to `path`. Can be called on any thread.
    static func place(_ number: Int32, at path: BytePath) throws(SystemError) {
        let file = Descriptor(owning: number)
        let fresh = fresh(path)
        if fsync(file.number) == 0, fresh.withCString({ new in path.withCString { rename(new, $0) == 0 } }) { return }
        let error = SystemError.last("saving the snapshot of watched files in \(path)")
        _ = fresh.withCString { unlink($0) }
        throw error
    }

    private static func fresh(_ path: BytePath) -> BytePath { BytePath(bytes: path.bytes + Array(".new".utf8)) }

    func stop() {
        guard !handoverState.isOver else { return }
        writeSnapshot()
        simulateCrash()
    }

    func simulateCrash() {
        handoverState.stop()
        handoverState.cancel()
        for run in handoverState.runs.compactMap(\.run) + handoverState.endedRuns { run.halt() }
        forgetMounts()
        stopListening()
    }

    /// The kernel's identifier of the current boot.
    static let boot = KernelFile.bytes(of: "/proc/sys/kernel/random/boot_id")
}
