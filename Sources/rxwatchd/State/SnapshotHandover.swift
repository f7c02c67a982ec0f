import RxEngine
import RxPipelines
import RxStore

/// The handover of unsettled events and of the steps' state to the next process, in the state directory.
struct SnapshotHandover: Sendable {
    private let recorder: Recorder
    private let store: SnapshotStore?
    /// What the store is, for a message.
    private let storeName: String
    /// Saves snapshots while the daemon runs; `nil` without a state directory.
    let saver: SnapshotSaver?

    init(in directory: StateDirectory, savingOn scheduler: any SchedulerType) {
        let recorder = directory.recorder
        self.recorder = recorder
        storeName = directory.path.map(StateDatabase.snapshots.description(in:)) ?? ""
        store = directory.snapshots()
        saver = store.map { store in
            SnapshotSaver(store, on: scheduler) { error in recorder.recordSaving(error) }
        }
    }

    /// The snapshot of the previous process; empty if there is none, or it cannot be read.
    ///
    /// - Parameter spools: the spools. They may have stored events of the snapshot without a note of that; these are
    ///   noted now.
    func previousProcess(_ spools: (any SpoolStore)?) -> Snapshot {
        var snapshot = Snapshot()
        recorder.attempt("opening \(storeName)") {
            snapshot = try store?.snapshot() ?? snapshot
            let spooled = snapshot.note(spooled: spools?.latestReadAtOnce() ?? [])
            try store?.add(spooled)
        }
        return snapshot
    }

    /// Removes the events whose source is not in the plan, and records how many events are redelivered and dropped.
    ///
    /// - Returns: the snapshot without them.
    func redelivering(_ snapshot: Snapshot, to plan: Plan) -> Snapshot {
        let events = snapshot.events
        let names = Set(plan.sources.map(\.name))
        let known = events.filter { names.contains($0.event.source) }
        if !known.isEmpty {
            recorder.record(
                .lifecycle, .notice,
                "\(Self.count(known.count)) not settled by the previous process; redelivering: "
                    + known.map(\.event).names,
                [.phase: "starting", .unsettled: String(known.count)])
        }
        let dropped = events.filter { !names.contains($0.event.source) }
        if !dropped.isEmpty {
            recorder.record(
                .lifecycle, .warning,
                "\(Self.count(dropped.count)) not settled by the previous process; dropped, as their sources "
                    + "are no longer in the configuration: \(dropped.map(\.event).names)",
                [.phase: "starting", .dropped: String(dropped.count)])
        }
        var rest = snapshot
        rest.events = known
        return rest
    }

    /// Stores the names of sinks before these use them. If that fails, the next snapshot has them.
    func store(_ sinks: [String: SinkNames]) {
        try? store?.keep(sinks)
    }

    /// Stores the progress of sinks with an event, so that a redelivery repeats nothing.
    func note(_ event: UnsettledEvent) {
        store?.note(event)
    }

    /// See ``SnapshotStore/whenWritten(_:)``.
    func whenNoted(_ body: @escaping @Sendable () -> Void) -> Bool {
        store?.whenWritten(body) ?? false
    }

    /// Stores the last snapshot for the next process, and records the number of unsettled events.
    func leave(_ snapshot: Snapshot) {
        saver?.stop()
        var isSaved = false
        recorder.attempt("saving unsettled events and state") {
            try store?.replace(with: snapshot)
            isSaved = true
        }
        let events = snapshot.events
        guard !events.isEmpty else { return }
        let (priority, outcome): (Priority, String) =
            if store == nil {
                (.warning, "lost, as there is no state directory to keep them in")
            } else if isSaved {
                (.notice, "kept for the next start")
            } else {
                (.warning, "they could not be saved, and the next start delivers only those in the last saved state")
            }
        recorder.record(
            .lifecycle, priority, "\(Self.count(events.count)) not settled; \(outcome): \(events.map(\.event).names)",
            [.phase: "stopping", .unsettled: String(events.count)])
    }

    private static func count(_ number: Int) -> String { counted(number, "event was", "events were") }
}

extension Recorder {
    /// Records that saving fails, or, with `nil`, that it works again.
    fileprivate func recordSaving(_ error: (any Error)?) {
        if let error {
            record(
                .error, .warning, "saving unsettled events and state failed, retrying: \(error)",
                [.error: "\(error)", .errorType: "\(type(of: error))"])
        } else {
            record(.error, .notice, "saving unsettled events and state works again")
        }
    }
}
