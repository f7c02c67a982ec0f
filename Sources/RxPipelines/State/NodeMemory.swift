import RxEngine
import RxJQ
import RxJSON

// Unchecked: the lock guards all mutable state.
/// The cells of a node: what the steps of a pipeline remember, and what the node replays.
final class NodeMemory: @unchecked Sendable {
    /// Unique for good. The next process has the same while the config says the same of the node.
    let run: String
    /// Whether it goes on from a snapshot.
    let isRestored: Bool
    private let onChange: @Sendable () -> Void
    private let lock = Lock()
    // Below: guarded by the lock.
    /// The values of a snapshot whose cells have not been made yet, by the path of the step.
    private var restored: [String: JQValue]
    /// The cells of the run of the steps, also of steps that have completed.
    private var cells: [String: any SavedCell] = [:]
    private weak var replay: (any SavedCell)?
    /// The values of all cells as they were saved last, and those that have none yet.
    private var saved: [String: JQValue]
    /// The paths of the cells that have changed since.
    private var unsaved: [String] = []
    private var changes = 0
    private var runs = 0
    private var isStarted = false

    private static let replayPath = "replay"
    private static let inputsPath = "from/"

    /// - Parameters:
    ///   - state: the state to go on from, of a node of which the config said the same.
    ///   - onChange: called with every change.
    init(run: String, restoring state: NodeState?, onChange: @escaping @Sendable () -> Void) {
        self.run = state?.run ?? run
        isRestored = state != nil
        restored = state?.cells ?? [:]
        saved = restored
        self.onChange = onChange
    }

    /// A counter that grows with every change.
    var version: Int { lock.locked { changes } }

    /// Whether the node is starting from a snapshot.
    var isRestoring: Bool { isRestored && lock.locked { !isStarted } }

    /// Whether an event is replayed to the node while it starts from a snapshot: its steps and sinks have seen it.
    func hasSeen(_ event: PipelineEvent) -> Bool { event.isReplayed && isRestoring }

    /// Identifies a step for ``StepResults``.
    func step(at path: String) -> String { "\(run)/\(path)" }

    /// All subscribers have subscribed.
    func started() {
        lock.locked { isStarted = true }
    }

    /// Makes the cell of a step. The first with a path has its value in the snapshot.
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

    /// Sets the cell of what the node replays, which is saved as long as it lives.
    ///
    /// - Returns: its value in the snapshot.
    func setReplay(_ cell: some SavedCell) -> JSON? {
        lock.locked {
            replay = cell
            saved[Self.replayPath] = nil
            return restored.removeValue(forKey: Self.replayPath)?.json
        }
    }

    /// Whether the steps go on from what an earlier run of them remembered.
    var isResumed: Bool { isRestored || lock.locked { runs > 1 } }

    /// The steps start; if not for the first time, with what they remember.
    func startRun() {
        let before = lock.locked {
            runs += 1
            if runs == 1 { return [String: any SavedCell]() }
            defer {
                // The inputs go on.
                cells = cells.filter { $0.key.hasPrefix(Self.inputsPath) }
            }
            return cells.filter { !$0.key.hasPrefix(Self.inputsPath) }
        }
        // Nothing changes meanwhile: steps run on the scheduler that this is called on.
        let values = before.compactMapValues { $0.save() }
        lock.locked {
            restored.merge(values) { $1 }
            saved = restored
            unsaved = Array(cells.keys)
        }
        withExtendedLifetime(before) {}
    }

    /// A cell has changed.
    ///
    /// - Parameter path: its path if that is the first change since it was saved.
    func changed(_ path: String? = nil) {
        lock.locked {
            changes += 1
            if let path { unsaved.append(path) }
        }
        onChange()
    }

    /// The values of all cells, of which those that have changed are read. Consistent on the node's scheduler.
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
