import Glibc

extension FileWatcherCore {
    /// Takes over the state of the previous process. Called once, before all other methods.
    func takeOver(_ handover: FileHandover) {
        guard let found = handover.take() else { return }
        var reader = WatchSnapshotReader(found.bytes)
        guard let boot = try? reader.bytes(), let journal = try? reader.integer(UInt64.self),
            var previousRuns = try? previousRuns(from: &reader)
        else { return }
        applyJournal(from: journal, to: &previousRuns)
        handoverState.previousRuns = previousRuns
        handoverState.beginResuming()
        guard boot == Self.boot, handover.isPair, let queue = try? Descriptor.duplicate(handover.inotify),
            let snapshot = try? WatchSnapshot(handover.snapshot, found)
        else {
            for index in previousRuns.indices { handoverState.previousRuns[index].forgetWatches() }
            return
        }
        descriptor = queue.release()
        handoverState.takeOver(
            snapshot, lacksChanges: found.isStale && (journal == 0 || handoverState.path == nil))
        guard !found.isStale else {
            for index in previousRuns.indices { handoverState.previousRuns[index].forgetWatches() }
            return
        }
        for root in previousRuns.filter(\.isLive).flatMap(\.roots) {
            roots[root.number] = root
            for (node, watch) in root.tree?.watched ?? [] { own(watch, root.number, node) }
            for watch in root.ancestorWatches.keys { own(watch, root.number, FileTree.none) }
        }
    }

    private func previousRuns(from reader: inout WatchSnapshotReader) throws(WatchSnapshotReader.Corruption)
        -> [FileHandoverState
        .RunState]
    {
        try reader.list { reader throws(WatchSnapshotReader.Corruption) in
            let request = try FileRequest(from: &reader)
            let pending = try reader.list { t throws(WatchSnapshotReader.Corruption) in try FileChange(from: &t) }
            let roots = try reader.list { reader throws(WatchSnapshotReader.Corruption) in
                let root = WatchedRoot(BytePath(bytes: try reader.bytes()), request, self.nextNumber(), self)
                try root.read(from: &reader)
                return root
            }
            guard roots.allSatisfy({ request.paths.contains($0.path) }) else { throw WatchSnapshotReader.Corruption() }
            let isLive = try reader.bool()
            let log = try reader.optional { t throws(WatchSnapshotReader.Corruption) in try FileLog(from: &t) }
            return FileHandoverState.RunState(
                request: request, roots: roots, isLive: isLive, pending: pending, log: log)
        }
    }

    /// Returns the state of the previous process for the same subscriber or, if there is none, for the same request; or
    /// the state of a run that has ended meanwhile. The log identifies the subscriber. If the subscriber has another
    /// request by now, the state of the paths that both requests have can be used.
    func takeOver(_ request: FileRequest, _ log: UInt64?) -> FileHandoverState.RunState? {
        let endedRuns = handoverState.endedRuns.compactMap { run in
            request.rank(of: run.request, run.log?.id, for: log).map { (rank: $0, run: run) }
        }
        if let ended = endedRuns.min(by: { $0.rank < $1.rank })?.run {
            handoverState.endedRuns.removeAll { $0 === ended }
            return ended.leave()
        }
        let previousRuns = handoverState.previousRuns.enumerated().compactMap { index, runState in
            request.rank(of: runState.request, runState.log?.id, for: log).map { (rank: $0, index: index) }
        }
        return previousRuns.min { $0.rank < $1.rank }.map { handoverState.previousRuns.remove(at: $0.index) }
    }

    /// Returns the run to whose log the position belongs.
    func run(at position: FilePosition) -> FileRun? {
        handoverState.runs.lazy.compactMap(\.run).first { $0.log?.id == position.log }
    }

    /// Resumes a root of the previous process.
    func resume(_ root: WatchedRoot, _ onChange: @escaping (FileChange) -> Void) {
        root.onChange = onChange
        let isLive = roots.updateValue(root, forKey: root.number) != nil
        catchUp(root, isLive: isLive && !root.wasDegraded && root.detection == .watched)
        root.wasDegraded = false
    }

    /// Compares a root that has its state already with the files, unless it is live, and watches it.
    func catchUp(_ root: WatchedRoot, isLive: Bool = false) {
        watchMounts()
        if !isLive {
            willChange()
            root.catchUp()
        }
        root.findPolledParts()
        scheduleTick()
    }

    func finishResuming() {
        handoverState.resumeAlarm.cancel()
        guard !handoverState.isOver else { return }
        willChange()
        handoverState.endResuming()
        for ended in handoverState.endedRuns { ended.end() }
        handoverState.endedRuns = []
        let unwanted = handoverState.previousRuns
        handoverState.previousRuns = []
        for root in unwanted.flatMap(\.roots) { remove(root.number) }
        guard handoverState.isQueueUnread else { return }
        handoverState.allHaveSubscribed()
        moveRuns()
        if handoverState.isUncertain { unwatchUnowned() }
        for root in roots.values { root.begin() }
        listen()
        read()
        // A path may lead to another file for this process than for the previous one.
        for root in roots.values { root.check() }
        scheduleTick()
        for run in handoverState.runs { run.run?.finishResuming() }
    }

    /// Removes watches that the previous process added after it wrote its snapshot, and that no root uses now.
    private func unwatchUnowned() {
        let prefix = Array("inotify wd:".utf8)
        for line in KernelFile.bytes(of: "/proc/self/fdinfo/\(descriptor)").split(separator: UInt8(ascii: "\n"))
        where line.starts(with: prefix) {
            let digits = String(decoding: line.dropFirst(prefix.count).prefix { $0 != 0x20 }, as: UTF8.self)
            if let watch = Int32(digits, radix: 16), !isOwned(watch) { inotify_rm_watch(descriptor, watch) }
        }
        // The watch of the snapshot itself has no owner.
        if let snapshot = handoverState.snapshot { FileHandover.makePair(descriptor, snapshot.file) }
    }
}

extension FileRequest {
    /// Returns how well the state of another request with a log can serve this one with its own, the smaller the better;
    /// `nil` if not at all.
    func rank(of other: FileRequest, _ otherLog: UInt64?, for log: UInt64?) -> Int? {
        let isOwn = log != nil && otherLog == log
        if other == self { return isOwn ? 0 : 2 }
        return isOwn && paths.contains { other.isWatched(as: self, at: $0) } ? 1 : nil
    }
}

extension FileHandoverState.RunState {
    /// Moves the state to another core, on whose queue this is called and which compares it with the files.
    func move(to core: FileWatcherCore) -> FileHandoverState.RunState {
        FileHandoverState.RunState(
            request: request, roots: roots.map { $0.move(to: core, for: request) }, isLive: false, pending: pending,
            log: log)
    }

    /// Clears the watches of the trees, which the kernel does not have, so that the trees are compared with the files.
    mutating func forgetWatches() {
        isLive = false
        for root in roots {
            root.tree?.forgetWatches()
            root.ancestorWatches = [:]
        }
    }
}

extension WatchedRoot {
    /// Whether the state of this path can serve the request.
    func isWatched(as request: FileRequest, at path: BytePath) -> Bool {
        path == self.path && self.request.isWatched(as: request, at: path)
    }

    /// Returns a copy for another run, which compares it with the files.
    func copy(for request: FileRequest, on core: FileWatcherCore) -> WatchedRoot {
        let copy = copyWithoutTree(for: request, on: core)
        copy.tree = tree
        copy.tree?.forgetWatches()
        return copy
    }

    /// Moves the state to a root of another core, which compares it with the files.
    func move(to core: FileWatcherCore, for request: FileRequest) -> WatchedRoot {
        let moved = copyWithoutTree(for: request, on: core)
        moved.takeTree(of: self)
        moved.wasDegraded = true
        return moved
    }

    private func copyWithoutTree(for request: FileRequest, on core: FileWatcherCore) -> WatchedRoot {
        let copy = WatchedRoot(path, request, core.nextNumber(), core)
        (copy.rootFile, copy.fileIdentity) = (rootFile, fileIdentity)
        copy.rootWrites = rootWrites.intersection(.written)
        (copy.unpairedMoves, copy.lastUnpairedMove) = (unpairedMoves, lastUnpairedMove)
        return copy
    }

    /// Returns a copy for another run that shares the watches, so that both get the same events from now on.
    func copySharingWatches(for request: FileRequest) -> WatchedRoot {
        let shared = copy(for: request, on: core)
        shared.tree = tree
        for (node, watch) in tree?.watched ?? [] { core.own(watch, shared.number, node) }
        for watch in ancestorWatches.keys { core.own(watch, shared.number, FileTree.none) }
        (shared.ancestorWatches, shared.ancestorsReportWrites, shared.isDue, shared.detection) = (
            ancestorWatches, ancestorsReportWrites, isDue, detection
        )
        (shared.possiblyOpen, shared.rootWrites) = (possiblyOpen, rootWrites)
        (shared.walkedEarly, shared.hasMovedDirectory, shared.beingWritten) = (
            walkedEarly, hasMovedDirectory, beingWritten
        )
        (shared.degradation, shared.reportedError, shared.unreadable) = (degradation, reportedError, unreadable)
        (shared.polledParts, shared.lastPoll) = (polledParts, lastPoll)
        return shared
    }

    /// Restarts the timeouts of moves, writes and closings.
    func begin() {
        for cookie in unpairedMoves.keys { unpairedMoves[cookie]?.since = .now }
        for node in beingWritten.keys { beingWritten[node] = .now }
        for node in possiblyOpen.keys { possiblyOpen[node] = .now }
    }
}
