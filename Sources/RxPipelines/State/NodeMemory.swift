import RxEngine
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
    private var restored: [String: JSON]
    /// The cells of the run of the steps, also of steps that have completed.
    private var cells: [String: any SavedCell] = [:]
    private weak var replay: (any SavedCell)?
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
        let cell = StateCell(initial, coding) { [weak self] in self?.changed() }
        let (value, before) = lock.locked {
            (restored.removeValue(forKey: path), cells.updateValue(cell, forKey: path))
        }
        withExtendedLifetime(before) {}
        if let value = value.flatMap(coding.decode) { cell.restore(value) }
        return cell
    }

    /// Sets the cell of what the node replays, which is saved as long as it lives.
    ///
    /// - Returns: its value in the snapshot.
    func setReplay(_ cell: some SavedCell) -> JSON? {
        lock.locked {
            replay = cell
            return restored.removeValue(forKey: Self.replayPath)
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
        let values = before.compactMapValues(\.saved)
        lock.locked { restored.merge(values) { $1 } }
        withExtendedLifetime(before) {}
    }

    /// A cell has changed.
    func changed() {
        lock.locked { changes += 1 }
        onChange()
    }

    /// The values of all cells. Consistent on the node's scheduler.
    var state: [String: JSON] {
        let (rest, cells) = lock.locked { () -> ([String: JSON], [String: any SavedCell]) in
            var all = self.cells
            all[Self.replayPath] = replay
            return (restored, all)
        }
        return cells.reduce(into: rest) { $0[$1.key] = $1.value.saved }
    }
}
