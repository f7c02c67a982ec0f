extension ObservableType {
    /// Emits only the elements that satisfy `predicate`.
    ///
    ///     source              --1--2--3--4--|
    ///     filter { $0 > 2 }   --------3--4--|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `predicate` throws.
    /// `predicate` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func filter(_ predicate: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        FilterObservable(asObservable(), Predicate(isSatisfied: predicate)) { FilterSink(to: $1, $0.isSatisfied) }
    }
}

// Unchecked: immutable, and the closure is `@Sendable`.
@usableFromInline
final class FilterObservable<Element>: Observable<Element>, @unchecked Sendable {
    private let upstream: Upstream
    private let predicate: Predicate<Element>
    private let makeSink: (Predicate<Element>, Sink<Element>) -> Sink<Element>
    private let isUpstreamScalar: Bool

    @usableFromInline
    init(
        _ upstream: Observable<Element>, _ predicate: Predicate<Element>,
        _ makeSink: @escaping (Predicate<Element>, Sink<Element>) -> Sink<Element>
    ) {
        isUpstreamScalar = upstream.isScalar
        self.upstream = Upstream(upstream)
        self.predicate = predicate
        self.makeSink = makeSink
        super.init(.filter)
    }

    @usableFromInline
    override var startsOnTrampoline: Bool { !isUpstreamScalar }

    @usableFromInline
    override func run(_ sink: Sink<Element>) -> any Disposable {
        isUpstreamScalar ? runScalar(sink) : upstream.with { $0.run(makeSink(predicate, sink)) }
    }

    override var depth: UInt32 { upstream.depth }

    @usableFromInline
    override var isScalar: Bool { isUpstreamScalar }

    override func scalar(into memory: UnsafeMutablePointer<Element>, for live: LiveSubscription) throws -> Bool {
        guard try upstream.with({ try $0.scalar(into: memory, for: live) }) else { return false }
        var passes = false
        defer { if !passes { memory.deinitialize(count: 1) } }
        passes = try predicate.isSatisfied(memory.pointee) && live.isActive
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
            return downstream.error(Hooks.thrown(error, in: .filter))
        }
        if passes, live.isActive { downstream.next(element) }
    }
}

/// A closure as a parameter of ``Observable/lift(_:with:_:)``. As a generic argument, a bare closure would be wrapped
/// in another one.
@usableFromInline
struct Predicate<Element> {
    @usableFromInline let isSatisfied: @Sendable (Element) throws -> Bool

    @inlinable
    init(isSatisfied: @escaping @Sendable (Element) throws -> Bool) {
        self.isSatisfied = isSatisfied
    }
}
