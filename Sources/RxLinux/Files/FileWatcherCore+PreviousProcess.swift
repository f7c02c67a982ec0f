import Glibc

extension FileWatcherCore {
    /// Takes in what the previous process has left. Called once, before anything else.
    func takeOver(_ handover: FileHandover) {
        guard let found = handover.take() else { return }
        var reader = SnapshotReader(found.bytes)
        guard let boot = try? reader.bytes(), let formers = try? formers(from: &reader) else { return }
        handoverState.formers = formers
        handoverState.isResuming = true
        guard boot == Self.boot, handover.isPair, let queue = try? Descriptor.duplicate(handover.inotify),
            let snapshot = try? WatchSnapshot(handover.snapshot, found)
        else {
            for index in formers.indices { handoverState.formers[index].forgetWatches() }
            return
        }
        descriptor = queue.release()
        handoverState.snapshot = snapshot
        handoverState.isHeldUp = true
        handoverState.isResumed = true
        guard !found.isStale else {
            handoverState.isUncertain = true
            for index in formers.indices { handoverState.formers[index].forgetWatches() }
            return
        }
        for root in formers.filter(\.isLive).flatMap(\.roots) {
            roots[root.number] = root
            for (node, watch) in root.tree?.watched ?? [] { own(watch, root.number, node) }
            for watch in root.guards.keys { own(watch, root.number, FileTree.none) }
        }
    }

    private func formers(from reader: inout SnapshotReader) throws(SnapshotReader.Corruption) -> [HandoverState.Former]
    {
        try reader.list { reader throws(SnapshotReader.Corruption) in
            let request = try FileRequest(from: &reader)
            let keptBack = try reader.list { t throws(SnapshotReader.Corruption) in try FileChange(from: &t) }
            let roots = try reader.list { reader throws(SnapshotReader.Corruption) in
                let root = WatchedRoot(BytePath(bytes: try reader.bytes()), request, self.nextNumber(), self)
                try root.read(from: &reader)
                return root
            }
            let isLive = try reader.bool()
            let log = try reader.optional { t throws(SnapshotReader.Corruption) in try FileLog(from: &t) }
            return HandoverState.Former(
                request: request, roots: roots, isLive: isLive, keptBack: keptBack, log: log)
        }
    }

    /// What the previous process knew for the same request, or a run that has ended meanwhile; of several that of the
    /// subscriber with this log.
    func takeOver(_ request: FileRequest, _ log: UInt64?) -> HandoverState.Former? {
        let orphans = handoverState.orphans.filter { $0.request == request }
        if let orphan = orphans.first(where: { $0.log?.id == log }) ?? orphans.first {
            handoverState.orphans.removeAll { $0 === orphan }
            return orphan.leave()
        }
        let fitting = handoverState.formers.indices.filter { handoverState.formers[$0].request == request }
        let own = fitting.first { handoverState.formers[$0].log?.id == log }
        return (own ?? fitting.first).map { handoverState.formers.remove(at: $0) }
    }

    /// The run of the same request that has this position, if it has left out changes.
    func runBehind(_ request: FileRequest, _ position: FilePosition?) -> FileRun? {
        guard let position else { return nil }
        return handoverState.runs.lazy.compactMap(\.run).first {
            $0.request == request && $0.log?.id == position.log && $0.isBehind
        }
    }

    /// Goes on with a root of the previous process's.
    func resume(_ root: WatchedRoot, _ tell: @escaping (FileChange) -> Void) {
        root.tell = tell
        watchMounts()
        let isLive = roots.updateValue(root, forKey: root.number) != nil
        if !isLive || root.wasDegraded || root.look != .watched {
            willChange()
            root.catchUp()
        }
        root.wasDegraded = false
        root.findPolledParts()
        scheduleTick()
    }

    func finishResuming() {
        handoverState.waiting.cancel()
        guard !handoverState.isOver else { return }
        willChange()
        handoverState.isResuming = false
        for orphan in handoverState.orphans { orphan.end() }
        handoverState.orphans = []
        let unwanted = handoverState.formers
        handoverState.formers = []
        for root in unwanted.flatMap(\.roots) { remove(root.number) }
        guard handoverState.isHeldUp else { return }
        handoverState.isHeldUp = false
        if handoverState.isUncertain { unwatchUnowned() }
        for root in roots.values { root.begin() }
        listen()
        read()
        // A path may lead elsewhere for this process than it did for the one before.
        for root in roots.values { root.check() }
        scheduleTick()
        for run in handoverState.runs { run.run?.finishResuming() }
    }

    /// Ends watches that the previous process began after it wrote its snapshot, and that nobody wants now.
    private func unwatchUnowned() {
        let prefix = Array("inotify wd:".utf8)
        for line in Self.contents(of: "/proc/self/fdinfo/\(descriptor)").split(separator: UInt8(ascii: "\n"))
        where line.starts(with: prefix) {
            let digits = String(decoding: line.dropFirst(prefix.count).prefix { $0 != 0x20 }, as: UTF8.self)
            if let watch = Int32(digits, radix: 16), !isOwned(watch) { inotify_rm_watch(descriptor, watch) }
        }
        // The watch of the snapshot itself is nobody's.
        if let snapshot = handoverState.snapshot { FileHandover.makePair(descriptor, snapshot.file) }
    }
}

extension HandoverState.Former {
    /// Whatever the kernel knew for the process before, it knows no more.
    fileprivate mutating func forgetWatches() {
        isLive = false
        for root in roots {
            root.tree?.forgetWatches()
            root.guards = [:]
        }
    }
}

extension WatchedRoot {
    /// What is known of the path, for another run of the same request.
    func copy() -> WatchedRoot {
        let copy = WatchedRoot(path, request, core.nextNumber(), core)
        copy.tree = tree
        copy.tree?.forgetWatches()
        (copy.presence, copy.fileIdentity, copy.wasWritten) = (presence, fileIdentity, wasWritten)
        copy.departures = departures
        return copy
    }

    /// Time begins again for what was put off.
    func begin() {
        for cookie in departures.keys { departures[cookie]?.since = .now }
        for node in beingWritten.keys { beingWritten[node] = .now }
    }
}
