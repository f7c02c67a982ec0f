import Glibc

extension FileWatcherCore {
    /// How soon after a change the snapshot is written, and how late at most.
    private static let writing: (least: Duration, most: Duration) = (.milliseconds(20), .seconds(5))

    // MARK: runs

    func begin(_ run: FileRun) throws(SystemError) {
        if handoverState.isOver { throw SystemError(ESHUTDOWN, "watching files") }
        handoverState.runs.removeAll { $0.run == nil }
        handoverState.runs.append(HandoverState.Weak(run: run))
        guard handoverState.isResuming else { return }
        handoverState.waiting.set(after: handoverState.patience) { [weak self] in self?.finishResuming() }
    }

    /// - Returns: whether the run is kept for another of the same request, since the previous process's snapshot is
    ///   still being taken over.
    func end(_ run: FileRun) -> Bool {
        if handoverState.isOver { return false }
        handoverState.runs.removeAll { $0.run == nil || $0.run === run }
        if handoverState.isResuming { handoverState.orphans.append(run) }
        return handoverState.isResuming
    }

    // MARK: after

    /// What is known is about to become more than what is in the snapshot.
    func willChange() {
        handoverState.isSaved = false
        guard let snapshot = handoverState.snapshot, !handoverState.isOver else { return }
        snapshot.markStale()
        guard !handoverState.isWritingDue else { return }
        handoverState.isWritingDue = true
        let delay = min(Self.writing.most, max(Self.writing.least, handoverState.cost * 50))
        handoverState.writing.set(after: delay) { [weak self] in self?.writeTable() }
    }

    /// Where it cannot be written, the one before stays, and is known to be stale.
    private func writeTable() {
        handoverState.isWritingDue = false
        // What is in the queue is worth more with the old one.
        guard let snapshot = handoverState.snapshot, !handoverState.isOver, !handoverState.isUncertain else { return }
        let begin = ContinuousClock.now
        try? snapshot.write { write(to: &$0) }
        handoverState.cost = .now - begin
    }

    private func write(to snapshot: inout SnapshotWriter) {
        snapshot.put(Self.boot)
        // What nobody has asked for yet may be asked for by the next.
        let runs = (handoverState.runs.compactMap(\.run) + handoverState.orphans).map(\.former)
        snapshot.put(each: runs + handoverState.formers) { snapshot, run in
            run.request.write(to: &snapshot)
            snapshot.put(each: run.keptBack) { $1.write(to: &$0) }
            snapshot.put(each: run.roots) { $1.write(to: &$0) }
            snapshot.put(run.isLive)
            snapshot.put(run.log) { $1.write(to: &$0) }
        }
    }

    func handover() throws(SystemError) -> FileHandover {
        try open()
        if handoverState.snapshot == nil {
            let snapshot = try WatchSnapshot()
            FileHandover.makePair(descriptor, snapshot.file)
            handoverState.snapshot = snapshot
        }
        writeTable()
        let queue = try Descriptor.duplicate(descriptor)
        let snapshot = try Descriptor.duplicate(handoverState.snapshot?.file ?? -1)
        return FileHandover(inotify: queue.release(), snapshot: snapshot.release())
    }

    /// Writes the snapshot beside the file at `path`, for ``place(_:at:)``. One at a time: the name beside it is always
    /// the same.
    ///
    /// - Returns: the new file.
    func writeCopy(beside path: BytePath) throws(SystemError) -> Int32 {
        let begin = ContinuousClock.now
        let fresh = Self.fresh(path)
        let file = try Descriptor(
            fresh.withCString { Glibc.open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) },
            "saving what is watched in \(fresh)")
        do throws(SystemError) {
            try WatchSnapshot.write(copyTo: file.number) { write(to: &$0) }
        } catch {
            _ = fresh.withCString { unlink($0) }
            throw error
        }
        (handoverState.path, handoverState.isSaved, handoverState.save) = (path, true, (.now, .now - begin))
        return file.release()
    }

    /// What becomes of a snapshot that is to be saved if it has changed.
    enum Saving {
        case isSaved
        /// It was saved not long ago, considering how long it takes.
        case wait(Duration)
        /// It was written, see ``writeCopy(beside:)``.
        case place(Int32, at: BytePath)
    }

    /// As ``writeCopy(beside:)``, if there is a path and something has changed; the snapshot that is handed over is
    /// written, too.
    ///
    /// - Parameter isUrgent: whether that may take more than a fiftieth of the time.
    func saveChanges(isUrgent: Bool) throws(SystemError) -> Saving {
        guard let path = handoverState.path, !handoverState.isSaved, !handoverState.isOver else { return .isSaved }
        if !isUrgent, let save = handoverState.save {
            let wait = save.cost * 50 - (ContinuousClock.now - save.time)
            if wait > .zero { return .wait(wait) }
        }
        let begin = ContinuousClock.now
        if handoverState.snapshot?.isStale == true { writeTable() }
        let file = try writeCopy(beside: path)
        handoverState.save = (.now, .now - begin)
        return .place(file, at: path)
    }

    /// Puts a file that ``writeCopy(beside:)`` has written in its place. On any thread.
    static func place(_ number: Int32, at path: BytePath) throws(SystemError) {
        let file = Descriptor(owning: number)
        let fresh = fresh(path)
        if fsync(file.number) == 0, fresh.withCString({ new in path.withCString { rename(new, $0) == 0 } }) { return }
        let error = SystemError.last("saving what is watched in \(path)")
        _ = fresh.withCString { unlink($0) }
        throw error
    }

    private static func fresh(_ path: BytePath) -> BytePath { BytePath(bytes: path.bytes + Array(".new".utf8)) }

    func stop() {
        guard !handoverState.isOver else { return }
        writeTable()
        die()
    }

    func die() {
        handoverState.isOver = true
        handoverState.cancel()
        for run in handoverState.runs.compactMap(\.run) + handoverState.orphans { run.halt() }
        forgetMounts()
        deafen()
    }

    /// What tells this run of the kernel from others.
    static let boot = contents(of: "/proc/sys/kernel/random/boot_id")

    /// What is in a file of the kernel's, as far as it can be read.
    static func contents(of path: String) -> [UInt8] {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var all: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = Glibc.read(file, &block, block.count)
            guard count > 0 else { return all }
            all += block[..<count]
        }
    }
}
