extension ObservableType {
    /// Emits the elements of this sequence and, when it has completed, those of `second`.
    ///
    ///     self        --1--2--|
    ///     second              .--8--9--|
    ///     concat      --1--2-----8--9--|
    ///
    /// It completes with `second`, and fails with the first error of either. The observer receives events on the
    /// threads on which the sequences emit them.
    ///
    /// Concatenations may be nested in each other, on either side, or follow one another without end: neither the depth
    /// of the stack nor the number of steps that an element takes grows with them.
    @inlinable
    public func concat(_ second: some ObservableConvertibleType<Element>) -> Observable<Element> {
        Concatenation([asObservable(), second.asObservable()])
    }

    /// Emits the elements of this sequence and, when it has completed, those of `second`; the compiler infers its type.
    ///
    ///     numbers.concat(.just(1))
    ///
    /// Completes with `second`, and fails with the first error of either. Each sequence delivers on its own threads.
    @inlinable
    public func concat(_ second: Observable<Element>) -> Observable<Element> {
        Concatenation([asObservable(), second])
    }

    /// Emits the elements of the sequences in `sequence`, one sequence after the other.
    ///
    /// Each is taken from `sequence` when the one before has completed. It completes with the last, and fails with the
    /// first error.
    /// The thread on which a sequence completes subscribes to the next one; if another thread is still starting that
    /// sequence, that one does.
    @inlinable
    public static func concat(_ sequence: some Swift.Sequence<Observable<Element>>) -> Observable<Element> {
        SequenceConcatenation(SourceIteration(sequence))
    }

    /// Emits the elements of the sequences in `collection`, one sequence after the other.
    ///
    /// Each is taken from `collection` when the one before has completed. It completes with the last, and fails with
    /// the first error.
    /// The thread on which a sequence completes subscribes to the next one; if another thread is still starting that
    /// sequence, that one does.
    @inlinable
    public static func concat(_ collection: some Swift.Collection<Observable<Element>>) -> Observable<Element> {
        if let sources = collection as? [Observable<Element>] { return Concatenation(sources.map { $0 as AnyObject }) }
        return SequenceConcatenation(SourceIteration(collection))
    }

    /// Emits the elements of these sequences, one sequence after the other.
    ///
    /// It completes with the last, and fails with the first error.
    /// The observer receives events on the threads on which the sequences emit them.
    @inlinable
    public static func concat(_ sources: Observable<Element>...) -> Observable<Element> {
        Concatenation(sources.map { $0 as AnyObject })
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// Emits the elements of the sequences that this one emits, one sequence after the other.
    ///
    ///     a           --1--2--|
    ///     b                   .--8--|
    ///     source      a-b--|
    ///     concat      --1--2-----8--|
    ///
    /// It is ``ObservableType/merge(maxConcurrent:)`` with a maximum of 1: it completes when this sequence and all that
    /// it emitted have completed, and fails with the first error. Further sequences are queued without bound.
    /// Elements are delivered on the threads that emit them.
    @inlinable
    public func concat() -> Observable<Element.Element> {
        merge(maxConcurrent: 1)
    }
}

// Unchecked: immutable until `deinit`.
/// A concatenation of an array of sources.
@usableFromInline
final class Concatenation<Element>: SequentialObservable<Element>, @unchecked Sendable {
    @usableFromInline
    init(_ sources: [AnyObject]) {
        super.init(.concat, of: sources)
    }

    override func begin() -> (AnyObject?, NextSource) {
        (parts.first, ArrayNextSource(parts))
    }
}

/// The sources of an array, starting with the second.
private final class ArrayNextSource: NextSource {
    private let sources: [AnyObject]
    @exclusivity(unchecked) private var index = 1

    init(_ sources: [AnyObject]) {
        self.sources = sources
    }

    override var isExhausted: Bool { index >= sources.count }

    override func source(after end: inout Termination) -> AnyObject? {
        guard case .completed = end, index < sources.count else { return nil }
        defer { index += 1 }
        return sources[index]
    }
}

// Unchecked: immutable.
/// A concatenation of a Swift sequence of sources.
@usableFromInline
final class SequenceConcatenation<Element>: SequentialObservable<Element>, @unchecked Sendable {
    private let sources: SourceIteration

    @usableFromInline
    init(_ sources: SourceIteration) {
        self.sources = sources
        super.init(.concat, of: [])
    }

    override func begin() -> (AnyObject?, NextSource) {
        (nil, ConcatIterator(sources.begin()))
    }
}

private final class ConcatIterator: NextSource {
    private let next: () -> AnyObject?

    init(_ next: @escaping () -> AnyObject?) {
        self.next = next
    }

    override func source(after end: inout Termination) -> AnyObject? {
        if case .completed = end { next() } else { nil }
    }
}
