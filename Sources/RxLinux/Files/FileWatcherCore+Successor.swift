import Glibc

extension FileWatcherCore {
    /// How soon after a change the table is written, and how late at most.
    private static let writing: (least: Duration, most: Duration) = (.milliseconds(20), .seconds(5))

    // MARK: runs

    func begin(_ run: FileRun) throws(SystemError) {
        if succession.isOver { throw SystemError(ESHUTDOWN, "watching files") }
        succession.runs.removeAll { $0.run == nil }
        succession.runs.append(FileSuccession.Weak(run: run))
        guard succession.isResuming else { return }
        succession.waiting.set(after: succession.patience) { [weak self] in self?.finishResuming() }
    }

    /// - Returns: whether the run is kept for another of the same request, since the predecessor's table is still being taken over.
    func end(_ run: FileRun) -> Bool {
        if succession.isOver { return false }
        succession.runs.removeAll { $0.run == nil || $0.run === run }
        if succession.isResuming { succession.orphans.append(run) }
        return succession.isResuming
    }

    // MARK: after

    /// What is known is about to become more than what is in the table.
    func willChange() {
        succession.isSaved = false
        guard let table = succession.table, !succession.isOver else { return }
        table.markStale()
        guard !succession.isWritingDue else { return }
        succession.isWritingDue = true
        let delay = min(Self.writing.most, max(Self.writing.least, succession.cost * 50))
        succession.writing.set(after: delay) { [weak self] in self?.writeTable() }
    }

    /// Where it cannot be written, the one before stays, and is known to be stale.
    private func writeTable() {
        succession.isWritingDue = false
        // What is in the queue is worth more with the old one.
        guard let table = succession.table, !succession.isOver, !succession.isUncertain else { return }
        let begin = ContinuousClock.now
        try? table.write { write(to: &$0) }
        succession.cost = .now - begin
    }

    private func write(to table: inout TableWriter) {
        table.put(Self.boot)
        // What nobody has asked for yet may be asked for by the next.
        let runs = (succession.runs.compactMap(\.run) + succession.orphans).map(\.former)
        table.put(each: runs + succession.formers) { table, run in
            run.request.write(to: &table)
            table.put(each: run.keptBack) { $1.write(to: &$0) }
            table.put(each: run.roots) { $1.write(to: &$0) }
            table.put(run.isLive)
            table.put(run.log) { $1.write(to: &$0) }
        }
    }

    func handover() throws(SystemError) -> FileHandover {
        try open()
        if succession.table == nil {
            let table = try FileTable()
            FileHandover.makePair(descriptor, table.file)
            succession.table = table
        }
        writeTable()
        let queue = try Descriptor.duplicate(descriptor)
        let table = try Descriptor.duplicate(succession.table?.file ?? -1)
        return FileHandover(inotify: queue.release(), table: table.release())
    }

    /// Writes the table beside the file at `path`, for ``place(_:at:)``. One at a time: the name beside it is always the same.
    ///
    /// - Returns: the new file.
    func writeCopy(beside path: BytePath) throws(SystemError) -> Int32 {
        let begin = ContinuousClock.now
        let fresh = Self.fresh(path)
        let file = try Descriptor(
            fresh.withCString { Glibc.open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) },
            "saving what is watched in \(fresh)")
        do throws(SystemError) {
            try FileTable.write(copyTo: file.number) { write(to: &$0) }
        } catch {
            _ = fresh.withCString { unlink($0) }
            throw error
        }
        (succession.path, succession.isSaved, succession.save) = (path, true, (.now, .now - begin))
        return file.release()
    }

    /// What becomes of a table that is to be saved if it has changed.
    enum Saving {
        case isSaved
        /// It was saved not long ago, considering how long it takes.
        case wait(Duration)
        /// It was written, see ``writeCopy(beside:)``.
        case place(Int32, at: BytePath)
    }

    /// As ``writeCopy(beside:)``, if there is a path and something has changed; the table that is handed over is written, too.
    ///
    /// - Parameter isUrgent: whether that may take more than a fiftieth of the time.
    func saveChanges(isUrgent: Bool) throws(SystemError) -> Saving {
        guard let path = succession.path, !succession.isSaved, !succession.isOver else { return .isSaved }
        if !isUrgent, let save = succession.save {
            let wait = save.cost * 50 - (ContinuousClock.now - save.time)
            if wait > .zero { return .wait(wait) }
        }
        let begin = ContinuousClock.now
        if succession.table?.isStale == true { writeTable() }
        let file = try writeCopy(beside: path)
        succession.save = (.now, .now - begin)
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
        guard !succession.isOver else { return }
        writeTable()
        die()
    }

    func die() {
        succession.isOver = true
        succession.cancel()
        for run in succession.runs.compactMap(\.run) + succession.orphans { run.halt() }
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
