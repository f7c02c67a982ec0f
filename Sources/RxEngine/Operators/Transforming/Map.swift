extension ObservableType {
    /// Emits the result of `transform` for each element.
    ///
    ///     source              --1--2--3--|
    ///     map { $0 * 10 }     --10-20-30-|
    ///
    /// Completes when the source completes. Fails with the source's error or with the error that `transform` throws.
    /// `transform` and the observer are called on the source's thread.
    @preconcurrency
    @inlinable
    public func map<Result>(
        _ transform: @escaping @Sendable (Element) throws -> Result
    ) -> Observable<Result> {
        MapObservable(asObservable(), Mapping(transform: transform)) { MapSink(to: $1, $0.transform) }
    }
}

// Unchecked: immutable, and the closure is `@Sendable`.
@usableFromInline
final class MapObservable<Input, Output>: Observable<Output>, @unchecked Sendable {
    private let upstream: Upstream
    private let mapping: Mapping<Input, Output>
    private let makeSink: (Mapping<Input, Output>, Sink<Output>) -> Sink<Input>
    private let isUpstreamScalar: Bool

    @usableFromInline
    init(
        _ upstream: Observable<Input>, _ mapping: Mapping<Input, Output>,
        _ makeSink: @escaping (Mapping<Input, Output>, Sink<Output>) -> Sink<Input>
    ) {
        isUpstreamScalar = upstream.isScalar
        self.upstream = Upstream(upstream)
        self.mapping = mapping
        self.makeSink = makeSink
        super.init(.map)
    }

    @usableFromInline
    override var startsOnTrampoline: Bool { !isUpstreamScalar }

    @usableFromInline
    override func run(_ sink: Sink<Output>) -> any Disposable {
        isUpstreamScalar ? runScalar(sink) : upstream.with { $0.run(makeSink(mapping, sink)) }
    }

    override var depth: UInt32 { upstream.depth }

    @usableFromInline
    override var isScalar: Bool { isUpstreamScalar }

    override func scalar(into memory: UnsafeMutablePointer<Output>, for live: LiveSubscription) throws -> Bool {
        try withUnsafeTemporaryAllocation(of: Input.self, capacity: 1) { source in
            guard let source = source.baseAddress else { return false }
            guard try upstream.with({ try $0.scalar(into: source, for: live) }) else { return false }
            defer { source.deinitialize(count: 1) }
            memory.initialize(to: try mapping.transform(source.pointee))
            if live.isActive { return true }
            memory.deinitialize(count: 1)
            return false
        }
    }
}

@usableFromInline
final class MapSink<Input, Output>: OperatorSink<Input, Output> {
    private let transform: @Sendable (Input) throws -> Output

    @usableFromInline
    init(to downstream: Sink<Output>, _ transform: @escaping @Sendable (Input) throws -> Output) {
        self.transform = transform
        super.init(.map, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        do {
            let result = try transform(element)
            if live.isActive { downstream.next(result) }
        } catch {
            downstream.error(Hooks.thrown(error, in: .map))
        }
    }
}

/// A closure as a parameter. As a generic argument, a bare closure would be wrapped in another one.
@usableFromInline
struct Mapping<Input, Output> {
    @usableFromInline let transform: @Sendable (Input) throws -> Output

    @inlinable
    init(transform: @escaping @Sendable (Input) throws -> Output) {
        self.transform = transform
    }
}
