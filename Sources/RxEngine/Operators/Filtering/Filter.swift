extension ObservableType {
    /// Lets through the elements that satisfy `predicate`. An error thrown by it ends the sequence.
    ///
    ///     source              --1--2--3--4--|
    ///     filter { $0 > 2 }   --------3--4--|
    @preconcurrency
    @inlinable
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        FilterObservable(asObservable(), Test(predicate: predicate)) { FilterSink(to: $1, $0.predicate) }
    }
}

// Unchecked: immutable, and the closure is `@Sendable`.
@usableFromInline
final class FilterObservable<Element>: Observable<Element>, @unchecked Sendable {
    private let upstream: Upstream
    private let test: Test<Element>
    private let makeSink: (Test<Element>, Sink<Element>) -> Sink<Element>
    private let isSourceOnly: Bool

    @usableFromInline
    init(
        _ upstream: Observable<Element>, _ test: Test<Element>,
        _ makeSink: @escaping (Test<Element>, Sink<Element>) -> Sink<Element>
    ) {
        isSourceOnly = upstream.isOnly
        self.upstream = Upstream(upstream)
        self.test = test
        self.makeSink = makeSink
        super.init(.filter)
    }

    @usableFromInline
    override var startsOnTrampoline: Bool { !isSourceOnly }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        isSourceOnly ? runOnly(sink) : upstream.with { $0.run(makeSink(test, sink)) }
    }

    override var depth: UInt32 { upstream.depth }

    @usableFromInline
    override var isOnly: Bool { isSourceOnly }

    override func only(into memory: UnsafeMutablePointer<Element>, for live: LiveSubscription) throws -> Bool {
        guard try upstream.with({ try $0.only(into: memory, for: live) }) else { return false }
        var passes = false
        defer { if !passes { memory.deinitialize(count: 1) } }
        passes = try test.predicate(memory.pointee) && live.isActive
        return passes
    }
}

@usableFromInline
final class FilterSink<Element>: OperatorSink<Element, Element> {
    private let predicate: @Sendable (Element) throws -> Bool

    @usableFromInline
    init(to downstream: Sink<Element>, _ predicate: @escaping @Sendable (Element) throws -> Bool) {
        self.predicate = predicate
        super.init(.filter, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        let passes: Bool
        do {
            passes = try predicate(element)
        } catch {
            return downstream.error(error)
        }
        if passes, live.isActive { downstream.next(element) }
    }
}

/// A closure as a parameter of ``Observable/lift(_:with:_:)``: bare, it would be wrapped in another.
@usableFromInline
struct Test<Element> {
    @usableFromInline let predicate: @Sendable (Element) throws -> Bool

    @inlinable
    init(predicate: @escaping @Sendable (Element) throws -> Bool) {
        self.predicate = predicate
    }
}
