/// Selects the source that follows when a source of a concat run has ended.
///
/// Neither it nor the run knows the type of the sources' elements, and an `AnyObject` stands for an `Observable` of it:
/// generic code would look types up at every step.
@usableFromInline
class NextSource {
    /// Whether no source follows any more and every end passes unchanged.
    var isExhausted: Bool { false }

    /// Returns the source to run after the previous one has ended, or `nil` if none follows.
    ///
    /// - Parameter end: how the previous source has ended. If no source follows, the run ends with it; this method may
    ///   change it.
    func source(after end: inout Termination) -> AnyObject? {
        preconditionFailure("\(type(of: self)) does not override source(after:)")
    }
}

/// The sources of a Swift sequence. Its closures are made where the type of the sequence is known: generic code would look
/// types up at every step.
@usableFromInline
struct SourceIteration {
    /// Begins an iteration. The result returns the next source, or `nil` at the end.
    @usableFromInline let begin: () -> () -> AnyObject?

    @inlinable
    init<Sources: Sequence>(_ sources: Sources) where Sources.Element: AnyObject {
        begin = {
            var iterator = sources.makeIterator()
            return { iterator.next() }
        }
    }
}

// Unchecked: immutable until `deinit`, when no other thread has a reference.
/// An observable that runs a source and, when that has ended, those that a ``NextSource`` selects.
///
/// Such observables may be nested deeply, so `deinit` releases them in a loop.
@usableFromInline
class SequentialObservable<Element>: Observable<Element>, @unchecked Sendable {
    private let operation: Operator
    /// The observables that this one is made of.
    @exclusivity(unchecked) private(set) final var parts: [AnyObject]

    init(_ operation: Operator, of parts: [AnyObject]) {
        self.operation = operation
        self.parts = parts
        super.init(operation)
    }

    deinit {
        if parts.isEmpty { return }
        var released = takeParts()
        while var observable = Self.next(of: &released) {
            guard isKnownUniquelyReferenced(&observable) else { continue }
            if let nested = observable as? SequentialObservable<Element> { released += nested.takeParts() }
        }
    }

    private static func next(of released: inout [AnyObject]) -> Observable<Element>? {
        released.isEmpty ? nil : unsafeDowncast(released.removeLast(), to: Observable<Element>.self)
    }

    private final func takeParts() -> [AnyObject] {
        defer { parts = [] }
        return parts
    }

    @usableFromInline final override var endsInTailRun: Bool { true }

    /// Returns the first source of one run, or `nil` if ``NextSource`` selects that, too, and the sources that follow.
    func begin() -> (AnyObject?, NextSource) {
        preconditionFailure("\(type(of: self)) does not override begin()")
    }

    @usableFromInline
    final override func run(_ sink: Sink<Element>) -> any Disposable {
        let (first, nextSource) = begin()
        if let outer = sink as? ConcatSourceSink<Element>, outer.takeOver(first, nextSource) {
            return Disposables.create()
        }
        return ConcatRun(operation, into: sink).start(first, nextSource)
    }
}
