extension ObservableType {
    /// This sequence, and when it has completed, `second`.
    ///
    ///     self        --1--2--|
    ///     second              .--8--9--|
    ///     concat      --1--2-----8--9--|
    ///
    /// The first error ends it. Any number of these may be nested in each other, on either side, or follow from one
    /// another without end: a run takes no more stack and no more steps for it.
    @inlinable
    public func concat<Source: ObservableConvertibleType>(_ second: Source) -> Observable<Element>
    where Source.Element == Element {
        Concatenation([asObservable(), second.asObservable()])
    }

    /// This sequence, and when it has completed, `second`, where the type is left to the compiler: `concat(.just(1))`.
    @inlinable
    public func concat(_ second: Observable<Element>) -> Observable<Element> {
        Concatenation([asObservable(), second])
    }

    /// These sequences, one after the other. Each is taken from `sequence` when the one before has completed.
    ///
    /// The first error ends it.
    @inlinable
    public static func concat<Sources: Swift.Sequence>(_ sequence: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        SequenceConcatenation(sequence)
    }

    /// These sequences, one after the other. Each is taken from `collection` when the one before has completed.
    ///
    /// The first error ends it.
    @inlinable
    public static func concat<Sources: Swift.Collection>(_ collection: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        if let sources = collection as? [Observable<Element>] { return Concatenation(sources.map { $0 as AnyObject }) }
        return SequenceConcatenation(collection)
    }

    /// These sequences, one after the other. The first error ends it.
    @inlinable
    public static func concat(_ sources: Observable<Element>...) -> Observable<Element> {
        Concatenation(sources.map { $0 as AnyObject })
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// The sequences that this one tells, one after the other: ``merge(maxConcurrent:)`` of one.
    @inlinable
    public func concat() -> Observable<Element.Element> {
        merge(maxConcurrent: 1)
    }
}

// Unchecked: immutable until it goes.
@usableFromInline
final class Concatenation<Element>: SequentialObservable<Element>, @unchecked Sendable {
    @usableFromInline
    init(_ sources: [AnyObject]) {
        super.init(.concat, of: sources)
    }

    override func begin() -> (AnyObject?, Sequel) {
        (parts.first, ConcatenationSequel(parts))
    }
}

/// The sources of an array, but for the first.
private final class ConcatenationSequel: Sequel {
    private let sources: [AnyObject]
    @exclusivity(unchecked) private var index = 1

    init(_ sources: [AnyObject]) {
        self.sources = sources
    }

    override var isSpent: Bool { index >= sources.count }

    override func source(after end: inout Termination) -> AnyObject? {
        guard case .completed = end, index < sources.count else { return nil }
        defer { index += 1 }
        return sources[index]
    }
}

// Unchecked: immutable.
@usableFromInline
final class SequenceConcatenation<Element, Sources: Sequence>: SequentialObservable<Element>, @unchecked Sendable
where Sources.Element == Observable<Element> {
    private let sources: Sources

    @usableFromInline
    init(_ sources: Sources) {
        self.sources = sources
        super.init(.concat, of: [])
    }

    override func begin() -> (AnyObject?, Sequel) {
        (nil, IteratorSequel(sources.makeIterator()))
    }

    private final class IteratorSequel: Sequel {
        private var iterator: Sources.Iterator

        init(_ iterator: Sources.Iterator) {
            self.iterator = iterator
        }

        override func source(after end: inout Termination) -> AnyObject? {
            if case .completed = end { iterator.next() } else { nil }
        }
    }
}
