import RxEngine
import RxJQ
import RxJSON

// Unchecked: the lock guards all mutable state.
/// The saved state of a node, in cells: the state of the steps of a pipeline, and the events that the node replays.
final class NodeMemory: @unchecked Sendable {
    /// The id of the state. It is never reused, and the next process keeps it as long as the node's text is unchanged.
    let run: String
    /// Whether the state was restored from a snapshot.
    let isRestored: Bool
    private let onChange: @Sendable () -> Void
    private let lock = Lock()
    // Below: guarded by the lock.
    /// The restored values whose cells have not been made yet, by the path of the step.
    private var restored: [String: JQValue]
    /// The cells of the current run of the steps, including steps that have completed.
    private var cells: [String: any SavedCell] = [:]
    /// The cell of the events that the node replays.
    private weak var replay: (any SavedCell)?
    /// The values of all cells when they were last saved, and the restored values without a cell.
    private var saved: [String: JQValue]
    /// The paths of the cells that have changed since then.
    private var unsaved: [String] = []
    private var changes = 0
    /// The number of runs of the steps so far.
    private var runs = 0
    private var isStarted = false

    private static let replayPath = "replay"
    private static let inputsPath = "from/"

    /// - Parameters:
    ///   - run: the id of a new state.
    ///   - state: the state to restore, of a node with the same text; `nil` to start without state.
    ///   - onChange: called after every change.
    init(run: String, restoring state: NodeState?, onChange: @escaping @Sendable () -> Void) {
        self.run = state?.run ?? run
        isRestored = state != nil
        restored = state?.cells ?? [:]
        saved = restored
        self.onChange = onChange
    }

    /// A counter that grows with every change.
    var version: Int { lock.locked { changes } }

    /// Whether the node has restored state and has not started yet.
    var isRestoring: Bool { isRestored && lock.locked { !isStarted } }

    /// Whether an event is replayed to the node while it starts with restored state: its steps and sinks have processed
    /// the event before.
    func hasSeen(_ event: PipelineEvent) -> Bool { event.isReplayed && isRestoring }

    /// Identifies a step for ``StepResults``.
    func step(at path: String) -> String { "\(run)/\(path)" }

    /// Ends the start: all subscribers have subscribed.
    func started() {
        lock.locked { isStarted = true }
    }

    /// Makes the cell of a step. The first cell with a path gets the restored value of that path.
    func cell<Value>(_ path: String, _ initial: Value, _ coding: StateCoding<Value>) -> StateCell<Value> {
        let cell = StateCell(initial, coding) { [weak self] isFirst in self?.changed(isFirst ? path : nil) }
        let (value, before) = lock.locked {
            unsaved.append(path)
            return (restored.removeValue(forKey: path), cells.updateValue(cell, forKey: path))
        }
        withExtendedLifetime(before) {}
        if let value = value.flatMap({ coding.decode($0.json) }) { cell.restore(value) }
        return cell
    }

    /// Sets the cell of the events that the node replays. It is not retained, and saved as long as it lives.
    ///
    /// - Returns: its restored value.
    func setReplay(_ cell: some SavedCell) -> JSON? {
        lock.locked {
            replay = cell
            saved[Self.replayPath] = nil
            return restored.removeValue(forKey: Self.replayPath)?.json
        }
    }

    /// Whether the steps have the state of an earlier run.
    var isResumed: Bool { isRestored || lock.locked { runs > 1 } }

    /// Starts a run of the steps. A later run restores the state of the one before.
    func startRun() {
        let before = lock.locked {
            runs += 1
            if runs == 1 { return [String: any SavedCell]() }
            defer {
                // The inputs keep their cells, since they do not restart.
                cells = cells.filter { $0.key.hasPrefix(Self.inputsPath) }
            }
            return cells.filter { !$0.key.hasPrefix(Self.inputsPath) }
        }
        // The cells do not change meanwhile: steps run on the scheduler that this is called on.
        let values = before.compactMapValues { $0.save() }
        lock.locked {
            restored.merge(values) { $1 }
            saved = restored
            unsaved = Array(cells.keys)
        }
        withExtendedLifetime(before) {}
    }

    /// Notes that a cell has changed.
    ///
    /// - Parameter path: the path of the cell if this is its first change since it was saved; otherwise `nil`.
    func changed(_ path: String? = nil) {
        lock.locked {
            changes += 1
            if let path { unsaved.append(path) }
        }
        onChange()
    }

    /// The values of all cells. Only changed cells are read. Consistent if read on the node's scheduler.
    var state: [String: JQValue] {
        let (changed, replay) = lock.locked { () -> ([(path: String, cell: (any SavedCell)?)], (any SavedCell)?) in
            defer { unsaved = [] }
            return (unsaved.map { ($0, cells[$0]) }, self.replay)
        }
        var values = changed.map { ($0.path, $0.cell?.save()) }
        if let replay { values.append((Self.replayPath, replay.save())) }
        return lock.locked {
            for (path, value) in values { saved[path] = value }
            return saved
        }
    }
}
