extension Resources {
    /// What the engine records of subscriptions, for ``Resources/graph()``.
    public enum Recording: Int, Sendable {
        /// Nothing.
        case off
        /// Each subscription and the operators of its chain.
        case subscriptions
        /// Each subscription, the operators of its chain, and the number of elements that each operator emits.
        case elements
    }

    private struct RecordingState {
        var recording = Recording.off
        /// The number of leak trackers, each of which needs the subscriptions.
        var trackers = 0

        func apply() {
            DiagnosticSwitches.set(DiagnosticSwitches.records, recording != .off || trackers > 0)
            DiagnosticSwitches.set(DiagnosticSwitches.counts, recording == .elements)
        }
    }

    private static let recordingState = Locked(RecordingState())

    /// What is recorded of subscriptions that are made from now on (default: ``Recording/off``).
    ///
    /// Recording costs a subscription some memory and the time of a lock for each of its operators; counting elements
    /// costs each operator another call for each element. While it is off, a subscription pays for a flag that is read.
    /// A subscription that was made before is not in the graph. Without the package trait `TRACE_RESOURCES` nothing is
    /// recorded. Any thread may set it.
    public static var recording: Recording {
        get { recordingState.withLock { $0.recording } }
        set {
            recordingState.withLock {
                $0.recording = newValue
                $0.apply()
            }
        }
    }

    /// Adds or removes a leak tracker.
    static func countTracker(_ difference: Int) {
        recordingState.withLock {
            $0.trackers += difference
            $0.apply()
        }
    }
}
