extension ObservableType {
    /// Runs the first of several sequences, and the next each time one fails, until one completes.
    ///
    ///     a                   --1--X
    ///     b                        .--8--|
    ///     catch([a, b])       --1-----8--|
    ///
    /// Takes the next from `sequence` only when the one before has failed. Fails with the error of the last. Completes
    /// at once if `sequence` is empty.
    /// The thread that delivers an error subscribes to the next sequence; if another thread is still starting the
    /// failed one, that one does. The observer receives events on the threads on which the sequences emit them.
    ///
    /// - Parameter sequence: the observables, in the order in which they are tried.
    @inlinable
    public static func `catch`(sequence: some Swift.Sequence<Observable<Element>>) -> Observable<Element> {
        SequenceCatch(SourceIteration(sequence))
    }
}

// Unchecked: immutable.
@usableFromInline
final class SequenceCatch<Element>: SequentialObservable<Element>, @unchecked Sendable {
    private let sources: SourceIteration

    @usableFromInline
    init(_ sources: SourceIteration) {
        self.sources = sources
        super.init(.catchError, of: [])
    }

    override func begin() -> (AnyObject?, NextSource) {
        (nil, CatchIterator(sources.begin()))
    }
}

private final class CatchIterator: NextSource {
    private let next: () -> AnyObject?
    private var hasBegun = false

    init(_ next: @escaping () -> AnyObject?) {
        self.next = next
    }

    override func source(after end: inout Termination) -> AnyObject? {
        if hasBegun, case .completed = end { return nil }
        hasBegun = true
        return next()
    }
}
