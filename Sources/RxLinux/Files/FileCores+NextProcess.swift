import Dispatch
import Glibc
import RxEngine

/// The state of the cores for the next process.
extension FileCores {
    func finishResuming() {
        let (all, released) = lock.locked {
            defer { holders = [] }
            isResuming = false
            return (others.values.compactMap(\.core), holders)
        }
        for core in [host] + all { core.queue.async { core.finishResuming() } }
        // Until it has finished, its queue holds the core; then its runs do.
        lock.locked { for name in others.keys { others[name]?.resuming = nil } }
        withExtendedLifetime((all, released)) {}
    }

    /// Whether every core that has runs and answers has resumed the queue and the snapshot of the previous process, and
    /// no other core has such a queue.
    var isResumed: Bool {
        guard host.wait(for: { [host] in host.handoverState.isResumed }) == true else { return false }
        return lock.locked { Array(others.values) }.allSatisfy { other in
            guard let core = other.core else { return true }
            return core.wait { core.handoverState.isResumed == core.hasRuns } ?? true
        }
    }

    /// Returns the state of all cores for the next process. A core that does not answer has the state that it had before.
    func handover() throws(SystemError) -> FileHandover {
        for (name, other) in lock.locked({ others }) {
            guard let core = other.core else { continue }
            let answer = core.wait { core.hasRuns ? try? core.handover() : nil }
            if let answer { lock.locked { others[name]?.handover = answer } }
        }
        let handovers = lock.locked { others.filter { $0.value.core != nil }.compactMapValues(\.handover) }
        let handover = host.wait { [host] in
            Result { () throws(SystemError) in try host.handover(others: handovers) }
        }
        guard let handover else { throw SystemError(ETIMEDOUT, "storing the watches for the next process") }
        return try handover.get()
    }

    /// Stops all cores, and waits for those that answer in time. The others emit nothing any more.
    func stop() {
        let others = lock.locked {
            isOver = true
            return self.others
        }
        let begin = SuspendingClock.now
        let stopping = others.values.compactMap { other in
            guard let core = other.core else { return nil as (DispatchSemaphore, DispatchSemaphore)? }
            let names = other.groups.sorted().map(\.description).joined(separator: ", ")
            let end = BlockingCalls.begin("watching files on \(names.isEmpty ? "other file systems" : names)")
            let (answered, stopped) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            core.queue.async {
                answered.signal()
                _ = try? core.saveAndPlace(isUrgent: true)
                core.stop()
                end()
                stopped.signal()
            }
            return (answered, stopped)
        }
        let end = BlockingCalls.begin("watching files of this host")
        _ = host.wait { [host] in
            host.stop()
            end()
        }
        for (answered, stopped) in stopping {
            guard answered.wait(until: begin + Self.answerTimeout) else { continue }
            _ = stopped.wait(until: begin + max(Self.answerTimeout, host.wait.timeout))
        }
    }

    /// Saves the snapshots of the cores other than that of the root directory, as far as they answer in time. The others
    /// emit nothing meanwhile, and their journals have the changes that they have emitted.
    ///
    /// - Returns: the time to wait before the next attempt; `nil` if all emitted changes are saved.
    func saveOthers(isUrgent: Bool) throws(SystemError) -> Duration? {
        let results = Locked<[Result<Duration?, SystemError>]>([])
        let group = DispatchGroup()
        // Leave out the cores that still save from an earlier call.
        let free = lock.locked { () -> [FileWatcherCore] in
            forgetEnded()
            let free = others.values.compactMap(\.core).filter { !saving.contains(ObjectIdentifier($0)) }
            saving.formUnion(free.map { ObjectIdentifier($0) })
            return free
        }
        for core in free {
            core.queue.async(group: group) { [self] in
                let result = Result { () throws(SystemError) in try core.saveAndPlace(isUrgent: isUrgent) }
                results.withLock { $0.append(result) }
                lock.locked { _ = saving.remove(ObjectIdentifier(core)) }
            }
        }
        _ = group.wait(timeout: .now() + Self.answerTimeout.interval)
        var longest: Duration?
        for result in results.withLock({ $0 }) {
            if let span = try result.get() { longest = max(longest ?? span, span) }
        }
        return longest
    }

    /// Deletes what cores have saved whose runs have ended or moved, under the lock: none is made meanwhile.
    private func forgetEnded() {
        guard !isOver, let path else { return }
        for name in others.filter({ $0.value.core == nil }).keys {
            others[name] = nil
            let saved = Self.path(of: name, beside: path)
            for file in [saved] + ChangeJournal.files(beside: saved) { _ = file.withCString { unlink($0) } }
        }
    }

    // MARK: names

    /// The name of the core of a set of groups, which is the same in the next process.
    static func name(of groups: Set<BytePath>) -> String {
        var name = WatchSnapshotChecksum()
        for group in groups.sorted() { (group.bytes + [0]).withUnsafeBytes { name.add($0) } }
        return String(name.value, radix: 36)
    }

    static func path(of name: String, beside path: BytePath) -> BytePath {
        BytePath(bytes: path.bytes + Array(".\(name)".utf8))
    }

    /// The saved snapshots of cores other than that of the root directory, as far as they have runs.
    static func saved(beside path: BytePath) -> [String: FileHandover] {
        let prefix = path.name.bytes + Array(".".utf8)
        var saved: [String: FileHandover] = [:]
        for file in path.parent.entries where file.starts(with: prefix) {
            let name = String(decoding: file.dropFirst(prefix.count), as: UTF8.self)
            // Not a journal, a file that is being written, or one that was renamed since it is damaged.
            guard let value = UInt64(name, radix: 36), String(value, radix: 36) == name, name != "new",
                name != "damaged"
            else { continue }
            if let handover = FileHandover(savedAt: Self.path(of: name, beside: path)), handover.hasRuns {
                saved[name] = handover
            }
        }
        return saved
    }
}

extension DispatchSemaphore {
    /// Waits for a signal until `time`; returns whether there was one.
    fileprivate func wait(until time: SuspendingClock.Instant) -> Bool {
        wait(timeout: .now() + max(.zero, time - .now).interval) == .success
    }
}
