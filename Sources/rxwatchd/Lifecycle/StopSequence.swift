import RxLinux
import RxPipelines

/// Stops the last generation, and saves what is not finished for the next process.
struct StopSequence {
    let host: Host
    let recorder: Recorder
    let lines: LineOutbox
    let reporter: ResourceReporter
    let handover: Handover
    let snapshots: SnapshotHandover

    /// The time for writing the last records.
    static let lastRecordsWithin = Duration.seconds(1)

    /// The time for saving unfinished events.
    private static let savingWithin = Duration.seconds(10)

    /// Drains the generation for as long as its configuration allows, stops it, and saves its snapshot.
    func stop(_ generation: Generation) {
        let drain = generation.plan.drainWithin
        let deadline = SuspendingClock.now + drain
        // The steps that follow, and a second as a reserve.
        let afterDrain = ResourceCheck.within + Self.lastRecordsWithin + .seconds(1)
        try? ServiceManager.notify(.stopping, .extendTimeout(drain + afterDrain))
        reporter.forget()
        recorder.attempt("saving the snapshot of watched files") { try handover.leave(host.files) }
        let left = generation.stop(by: deadline, reporter)
        try? ServiceManager.notify(.extendTimeout(Self.savingWithin + afterDrain))
        snapshots.leave(left)
        lines.drain(within: deadline.timeLeft)
        recorder.outbox.drain(within: deadline.timeLeft)
    }
}
