/// What an operator that runs one source after the other does when a source ends.
///
/// Neither it nor the run knows the sources' type of element, and an `AnyObject` stands for an `Observable` of it: code
/// for any type would look types up at every step.
@usableFromInline
class Sequel {
    /// Whether it lets every end pass from here on.
    var isSpent: Bool { false }

    /// The source to run now that the one before has ended. Where there is none the sequel is over, and `end`, which it
    /// may change, is how.
    func source(after end: inout Termination) -> AnyObject? {
        preconditionFailure("\(type(of: self)) does not override source(after:)")
    }
}

// Unchecked: immutable until it goes, and then nobody else has it.
/// An observable that starts another of its type, and goes on by a ``Sequel`` when that ends.
///
/// Such observables are nested in each other, deep ones at that, so they are taken apart in a loop when they go.
@usableFromInline
class SequentialObservable<Element>: Observable<Element>, @unchecked Sendable {
    private let operation: Operator
    /// The observables that it is made of.
    @exclusivity(unchecked) private(set) final var parts: [AnyObject]

    init(_ operation: Operator, of parts: [AnyObject]) {
        self.operation = operation
        self.parts = parts
        super.init(operation)
    }

    deinit {
        if parts.isEmpty { return }
        var orphans = takeParts()
        while var orphan = Self.next(of: &orphans) {
            guard isKnownUniquelyReferenced(&orphan) else { continue }
            if let nest = orphan as? SequentialObservable<Element> { orphans += nest.takeParts() }
        }
    }

    private static func next(of orphans: inout [AnyObject]) -> Observable<Element>? {
        orphans.isEmpty ? nil : unsafeDowncast(orphans.removeLast(), to: Observable<Element>.self)
    }

    private final func takeParts() -> [AnyObject] {
        defer { parts = [] }
        return parts
    }

    @usableFromInline final override var handsSinkOn: Bool { true }

    /// What follows in one run, and the source it starts with; `nil` where the sequel is to be asked for that too.
    func begin() -> (AnyObject?, Sequel) {
        preconditionFailure("\(type(of: self)) does not override begin()")
    }

    @usableFromInline
    final override func run(_ sink: Sink<Element>) -> any Disposable {
        let (first, sequel) = begin()
        if let place = sink as? SuccessionSink<Element>, place.takeOver(first, sequel) { return Disposables.create() }
        return Succession(operation, into: sink).start(first, sequel)
    }
}
