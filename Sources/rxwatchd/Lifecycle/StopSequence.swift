import RxLinux
import RxPipelines

/// Stops the last generation and leaves to the next process what was not finished.
struct StopSequence {
    let host: Host
    let recorder: Recorder
    let lines: LineOutbox
    let reporter: ResourceReporter
    let handover: Handover
    let snapshots: SnapshotHandover

    /// How long the last records may take.
    static let lastRecordsWithin = Duration.seconds(1)

    /// How long saving what is left may take.
    private static let savingWithin = Duration.seconds(10)

    /// Sinks may finish their work for as long as the config allows.
    func stop(_ generation: Generation) {
        let drain = generation.plan.drainWithin
        let deadline = ContinuousClock.now + drain
        // All that may follow, and a second for what is not measured.
        let afterDrain = ResourceCheck.within + Self.lastRecordsWithin + .seconds(1)
        try? ServiceManager.notify(.stopping, .extendTimeout(drain + afterDrain))
        reporter.forget()
        recorder.attempt("saving what is watched") { try handover.leave(host.files) }
        let left = generation.stop(by: deadline, reporter)
        try? ServiceManager.notify(.extendTimeout(Self.savingWithin + afterDrain))
        snapshots.leave(left)
        lines.drain(within: deadline.timeLeft)
        recorder.outbox.drain(within: deadline.timeLeft)
    }
}
