import CLinux
import Dispatch
import Glibc

extension FileWatcherCore {
    /// Starts reading the kernel's events.
    func listen() {
        guard reader == nil else { return }
        reader = ReadableDescriptor(descriptor, on: queue) { [weak self] in self?.read() }
    }

    /// Stops reading events, and closes the descriptor.
    func stopListening() {
        alarm.cancel()
        if let reader = reader.take() { reader.dispose() } else if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    /// Reads the kernel's events, in at most 16 blocks, so that other work on the queue can run.
    func read() {
        guard !handoverState.isOver else { return }
        willChange()
        isDrained = false
        for _ in 0..<16 {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 else {
                for root in roots.values { root.drained() }
                handoverState.queueIsRead()
                isDrained = true
                break
            }
            mounts?.update()
            buffer.withUnsafeBytes { all in
                InotifyEvent.decode(UnsafeRawBufferPointer(rebasing: all[..<count])) { receive($0) }
            }
            finish()
        }
        scheduleTick()
        if !isDrained { readLater() }
    }

    /// Continues reading after other work on the queue, since the descriptor may not be reported as readable again.
    private func readLater() {
        if isReadDue { return }
        isReadDue = true
        queue.async { [weak self] in
            self?.isReadDue = false
            self?.readNow()
        }
    }

    /// Reads the events up to now.
    func readNow() {
        if descriptor >= 0 { read() }
    }

    /// Whether all events that the kernel has reported are handled.
    var hasHandledAllEvents: Bool { isDrained && roots.values.allSatisfy(\.unpairedMoves.isEmpty) }

    private func receive(_ event: InotifyEvent) {
        moment += 1
        advance()
        eventTime = .now
        if event.has(IN_Q_OVERFLOW) {
            for root in roots.values.sorted(by: { $0.number < $1.number }) { root.overflowed() }
            return
        }
        guard let first = owners.first(of: event.watch) else { return }
        let others = owners.others(of: event.watch)
        if event.has(IN_IGNORED) { owners.removeAll(of: event.watch) }
        deliver(event, to: first)
        // Handling the event may have removed another owner's node, and a new node may have its number.
        for owner in others where owners.has(owner, of: event.watch) || event.has(IN_IGNORED) {
            deliver(event, to: owner)
        }
    }

    private func deliver(_ event: InotifyEvent, to owner: WatchOwners.Owner) {
        guard let root = roots[owner.root] else { return }
        if event.has(IN_IGNORED) {
            root.lost(event.watch, at: owner.node)
        } else {
            root.receive(event, at: owner.node)
        }
    }

    private func finish() {
        for root in roots.values {
            if root.isDue { root.check() }
            root.checkLinksOfDirectories()
        }
    }

    // MARK: time

    func scheduleTick() {
        // The other half of a move may be in the unread queue.
        guard !handoverState.isQueueUnread, !handoverState.isOver else { return }
        mounts?.update()
        let now = SuspendingClock.now
        moment += 1
        var next: SuspendingClock.Instant?
        for root in roots.values {
            if root.isWaiting { willChange() }
            if let due = root.tick(now) { next = min(next ?? due, due) }
            root.checkLinksOfDirectories()
            guard root.isPolled else { continue }
            if root.lastPoll.map({ $0 + root.request.period <= now }) ?? true {
                willChange()
                if root.lastPoll != nil { root.pollAgain() }
                // Count from the end of the poll: it may take longer than the period.
                root.lastPoll = .now
            }
            let due = (root.lastPoll ?? now) + root.request.period
            next = min(next ?? due, due)
        }
        if let next {
            alarm.set(after: max(.milliseconds(1), next - .now)) { [weak self] in self?.scheduleTick() }
        } else {
            alarm.cancel()
        }
        passBarriers()
    }
}
