/// A sink that acts at each element of another sequence, the marks, or also at its completion, and fails with its error.
@usableFromInline
protocol MarkTarget: AnySink {
    /// Whether the operator still emits events.
    var isActive: Bool { get }
    func reachedMark()
    func marksFailed(_ error: any Error)
    func marksCompleted()
}

extension MarkTarget {
    /// Ignores the completion.
    @usableFromInline
    func marksCompleted() {}
}

/// The boundary sink of the marks of a ``MarkTarget``.
@usableFromInline
final class MarkSink<Mark>: BoundarySink<Mark> {
    private let target: any MarkTarget

    @usableFromInline
    init(for target: any MarkTarget) {
        self.target = target
        super.init(LiveSubscription(into: target))
    }

    @usableFromInline
    override func next(_ element: Mark) {
        guard live.isActive else { return }
        target.reachedMark()
        if !target.isActive { live.dispose() }
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        switch end {
        case .error(let error): target.marksFailed(error)
        case .completed: target.marksCompleted()
        }
    }
}
