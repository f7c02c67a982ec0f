import RxEngine

/// The location in a configuration of a running part: a step, an expression, a template.
///
/// An edited configuration may contain the same part further down. The part continues to run then, and its cell takes
/// the new location: a location belongs to the configuration that was read, not to the run.
package final class SourceLocationCell: Sendable {
    /// The location of the part and the pipelines that it belongs to.
    private struct State {
        var location: SourceLocation
        var pipeline: String?
        var pipelines: [String] = []
    }

    private let state: Locked<State>

    /// Creates a cell with a location, and no pipeline yet.
    package init(_ location: SourceLocation) {
        state = Locked(State(location: location))
    }

    /// The current location.
    package var location: SourceLocation { state.withLock { $0.location } }

    /// The pipeline that contains the part.
    package var pipeline: String? { state.withLock { $0.pipeline } }

    /// The pipelines that run on the same scheduler, including its own.
    package var pipelines: [String] { state.withLock { $0.pipelines } }

    /// Sets the pipeline that contains the part, and those that run on the same scheduler.
    package func belong(to pipeline: String, among pipelines: [String]) {
        state.withLock { ($0.pipeline, $0.pipelines) = (pipeline, pipelines) }
    }

    /// Takes the place of `other`.
    package func move(to other: SourceLocationCell) {
        let new = other.state.withLock(\.self)
        state.withLock { $0 = new }
    }
}

extension [SourceLocationCell] {
    /// Gives each cell the location of the cell with the same index; equal texts have equal numbers of cells.
    package func move(to others: [SourceLocationCell]) {
        for (cell, other) in zip(self, others) { cell.move(to: other) }
    }
}
