import Dispatch
import RxEngine
import RxPipelines
import RxStore

// Unchecked: the lock guards all mutable state.
/// Saves snapshots of the running graph for the case that the process is killed: within a second after an event was
/// left unsettled, and within five after a step has changed its state.
final class SnapshotSaver: @unchecked Sendable {
    private let store: SnapshotStore
    private let onResult: @Sendable ((any Error)?) -> Void
    private let timer: SaveTimer
    private let lock = Lock()
    // Below: guarded by the lock.
    private var graph: Graph?
    /// The latest snapshot of each part of the graph.
    private var parts: [Int: Snapshot] = [:]
    /// The number of the current round of captures, and how many parts it is waiting for.
    private var round = 0
    private var missing = 0
    /// The version of the graph that is stored; `nil` if none is.
    private var saved: Int?
    private var hasFailed = false
    /// Callers that wait until a snapshot is stored that was captured after this mark of the store.
    private var waiting: [(mark: Int64, isStored: DispatchSemaphore)] = []

    /// - Parameter onResult: called with the first failure of several, and with `nil` when saving works again.
    init(
        _ store: SnapshotStore, on scheduler: any SchedulerType, onResult: @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.store = store
        self.onResult = onResult
        timer = SaveTimer(on: scheduler)
    }

    /// Saves this graph from now on, for the first time at once: from then on, a source that can resume loses nothing.
    ///
    /// - Parameters:
    ///   - graph: the graph.
    ///   - span: how long to wait for the first save; zero not to wait.
    func show(_ graph: Graph, waiting span: Duration = .zero) {
        let isStored = DispatchSemaphore(value: 0)
        let before = lock.locked {
            defer { (self.graph, parts, saved) = (graph, [:], nil) }
            round += 1
            if span > .zero { waiting.append((store.mark(), isStored)) }
            return self.graph
        }
        withExtendedLifetime(before) {}
        schedule(.now, after: .zero)
        if span > .zero { _ = isStored.wait(timeout: .now() + span.interval) }
    }

    /// Schedules a save, unless one is scheduled that is as urgent.
    func changed(_ change: Graph.Change) {
        switch change {
        case .unsettled: schedule(.oneSecond, after: .seconds(1))
        case .state: schedule(.fiveSeconds, after: .seconds(5))
        case .caughtUp(let source):
            store.release(source)
            schedule(.fiveSeconds, after: .seconds(5))
        }
    }

    private func schedule(_ urgency: SaveTimer.Urgency, after span: Duration) {
        timer.schedule(urgency, after: span) { self.save() }
    }

    private func save() {
        guard timer.begin(), let graph = lock.locked({ graph }) else { return }
        let version = graph.version
        // Late: a component has not captured its part since the last save. The others are saved with its previous part.
        let (isLate, round) = lock.locked { () -> (Bool, Int?) in
            defer { self.round += 1 }
            if saved == version, waiting.isEmpty { return (false, nil) }
            let isLate = missing > 0
            missing = graph.partCount
            return (isLate, self.round + 1)
        }
        if isLate { write(nil, notedBefore: nil) }
        if let round {
            let mark = store.mark()
            graph.capture { self.receive($1, number: $0, of: round, version, mark) }
        }
        if graph.unsettledCount > 0 { changed(.unsettled) }
    }

    private func receive(_ part: Snapshot, number: Int, of round: Int, _ version: Int, _ mark: Int64) {
        let isComplete = lock.locked {
            guard round == self.round else { return false }
            parts[number] = part
            missing -= 1
            return missing == 0
        }
        if isComplete { write(version, notedBefore: mark) }
    }

    /// Stores the parts as a snapshot.
    ///
    /// - Parameters:
    ///   - version: the version of the graph in the parts; `nil` if some are older.
    ///   - mark: the mark of the store before their capture; `nil` if some are older.
    private func write(_ version: Int?, notedBefore mark: Int64?) {
        let captured = lock.locked { () -> (graph: Graph, snapshot: Snapshot, isUrgent: Bool)? in
            guard let graph, parts.count == graph.partCount else { return nil }
            return (graph, parts.values.reduce(into: Snapshot()) { $0.add($1) }, !waiting.isEmpty)
        }
        guard let captured else { return }
        do {
            // Sources first save what they need to continue after the snapshot: with older data, a source would emit
            // again what the snapshot has.
            if let wait = try captured.graph.prepareToStore(isUrgent: captured.isUrgent) {
                return schedule(.oneSecond, after: wait)
            }
        } catch {
            return wrote(version, mark, error)
        }
        let isStoring = store.keep(captured.snapshot, notedBefore: mark) { error in
            if error == nil { captured.graph.stored(captured.snapshot) }
            self.wrote(version, mark, error)
        }
        // The store is still writing the last snapshot: try again later.
        if !isStoring { changed(.unsettled) }
    }

    private func wrote(_ version: Int?, _ mark: Int64?, _ error: (any Error)?) {
        let (isChange, shown, served, isAwaited) = lock.locked { () -> (Bool, Graph?, [DispatchSemaphore], Bool) in
            defer { hasFailed = error != nil }
            saved = error == nil ? version : nil
            let served = waiting.filter { one in mark.map { $0 > one.mark } ?? false }
            waiting.removeAll { one in mark.map { $0 > one.mark } ?? false }
            return (
                hasFailed != (error != nil), graph, served.map(\.isStored),
                error == nil && mark != nil && !waiting.isEmpty
            )
        }
        for one in served { one.signal() }
        // The save that a caller waits for may have been refused because this one was being written.
        if isAwaited { schedule(.now, after: .zero) }
        if isChange { onResult(error) }
        if error != nil { changed(.unsettled) }
        // Events that were settled since the capture must not stay in the store.
        if let shown, let version, shown.version != version { changed(.state) }
    }

    /// Stops saving permanently.
    func stop() {
        timer.stop()
        let last = lock.locked {
            round += 1
            return graph.take()
        }
        withExtendedLifetime(last) {}
    }
}
