extension ObservableType {
    /// The first of these sequences, and where it fails, the next, until one completes.
    ///
    ///     a                   --1--X
    ///     b                        .--8--|
    ///     catch([a, b])       --1-----8--|
    ///
    /// Each is taken from `sequence` when the one before has failed. The last error ends it; where there is no sequence
    /// at all, it ends at once.
    @inlinable
    public static func `catch`<Sources: Swift.Sequence>(sequence: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        SequenceCatch(sequence)
    }
}

// Unchecked: immutable.
@usableFromInline
final class SequenceCatch<Element, Sources: Sequence>: SequentialObservable<Element>, @unchecked Sendable
where Sources.Element == Observable<Element> {
    private let sources: Sources

    @usableFromInline
    init(_ sources: Sources) {
        self.sources = sources
        super.init(.catchError, of: [])
    }

    override func begin() -> (AnyObject?, Sequel) {
        (nil, IteratorSequel(sources.makeIterator()))
    }

    private final class IteratorSequel: Sequel {
        private var iterator: Sources.Iterator
        private var hasBegun = false

        init(_ iterator: Sources.Iterator) {
            self.iterator = iterator
        }

        override func source(after end: inout Termination) -> AnyObject? {
            if hasBegun, case .completed = end { return nil }
            hasBegun = true
            return iterator.next()
        }
    }
}
