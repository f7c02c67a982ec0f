import RxEngine
import Synchronization

/// Marks in the changes of a subscriber: each is emitted behind the changes from before it.
extension FileRun {
    /// A mark that waits for changes that have not settled.
    struct WaitingMark {
        let mark: StreamMark
        /// The paths whose changes have not settled since; `nil` before the kernel's events up to the mark are handled.
        var paths: Set<BytePath>?
    }

    /// Emits a mark when all changes up to now are emitted. Can be called on any thread.
    func pass(_ mark: StreamMark) {
        perform { [self] in
            guard !isStopped.load(ordering: .acquiring), !core.handoverState.isOver else { return }
            marks.append(WaitingMark(mark: mark))
            core.hasMarks = true
            core.beginMoment()
            for root in roots { core.roots[root].map { if $0.isPolled { $0.pollAgain() } } }
            core.readNow()
            passMarks()
        }
    }

    /// Emits the marks whose changes are emitted.
    func passMarks() {
        if marks.isEmpty { return }
        marks.removeAll(where: \.mark.isCancelled)
        guard !marks.isEmpty, core.hasHandledAllEvents, !isBehind else { return }
        let unsettled = settleTimer?.paths ?? []
        for index in marks.indices {
            marks[index].paths = marks[index].paths?.intersection(unsettled) ?? unsettled
        }
        let passed = marks.filter { $0.paths?.isEmpty ?? false }
        marks.removeAll { $0.paths?.isEmpty ?? false }
        if isStopped.load(ordering: .acquiring) { return }
        for waiting in passed { observer.onNext(.mark(waiting.mark)) }
    }
}

extension FileWatcherCore {
    /// Emits the marks of all runs whose changes are emitted.
    func passMarks() {
        guard hasMarks else { return }
        let runs = handoverState.runs.compactMap(\.run)
        for run in runs { run.passMarks() }
        hasMarks = runs.contains { !$0.marks.isEmpty }
    }
}
