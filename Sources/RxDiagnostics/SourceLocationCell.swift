import RxEngine

/// Where a part of a config stands that runs: a step, an expression, a template.
///
/// A config that is read again may say the same further down. What it says goes on running then, and its place moves
/// there: the place belongs to what is read, not to what runs.
package final class SourceLocationCell: Sendable {
    private struct State {
        var location: SourceLocation
        var pipeline: String?
        var pipelines: [String] = []
    }

    private let state: Locked<State>

    package init(_ location: SourceLocation) {
        state = Locked(State(location: location))
    }

    package var location: SourceLocation { state.withLock { $0.location } }

    /// The pipeline that it is part of.
    package var pipeline: String? { state.withLock { $0.pipeline } }

    /// The pipelines that run on the same scheduler, that one included.
    package var pipelines: [String] { state.withLock { $0.pipelines } }

    /// Says what pipeline it is part of, and which run on the same scheduler.
    package func belong(to pipeline: String, among pipelines: [String]) {
        state.withLock { ($0.pipeline, $0.pipelines) = (pipeline, pipelines) }
    }

    /// What stood here stands where the other does.
    package func move(to other: SourceLocationCell) {
        let new = other.state.withLock(\.self)
        state.withLock { $0 = new }
    }
}

extension [SourceLocationCell] {
    /// Moves each to where the one is that was read in its turn: what is read in the same words has as many.
    package func move(to others: [SourceLocationCell]) {
        for (place, other) in zip(self, others) { place.move(to: other) }
    }
}
