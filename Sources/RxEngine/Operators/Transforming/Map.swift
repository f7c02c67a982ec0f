extension ObservableType {
    /// Puts each element through `transform`. An error thrown by it ends the sequence.
    ///
    ///     source              --1--2--3--|
    ///     map { $0 * 10 }     --10-20-30-|
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
    private let isSourceOnly: Bool

    @usableFromInline
    init(
        _ upstream: Observable<Input>, _ mapping: Mapping<Input, Output>,
        _ makeSink: @escaping (Mapping<Input, Output>, Sink<Output>) -> Sink<Input>
    ) {
        isSourceOnly = upstream.isOnly
        self.upstream = Upstream(upstream)
        self.mapping = mapping
        self.makeSink = makeSink
        super.init(.map)
    }

    @usableFromInline
    override var startsOnTrampoline: Bool { !isSourceOnly }

    @usableFromInline
    override func run(_ sink: Sink<Output>) -> any Disposable {
        isSourceOnly ? runOnly(sink) : upstream.with { $0.run(makeSink(mapping, sink)) }
    }

    override var depth: UInt32 { upstream.depth }

    @usableFromInline
    override var isOnly: Bool { isSourceOnly }

    override func only(into memory: UnsafeMutablePointer<Output>, for live: LiveSubscription) throws -> Bool {
        try withUnsafeTemporaryAllocation(of: Input.self, capacity: 1) { source in
            guard let source = source.baseAddress else { return false }
            guard try upstream.with({ try $0.only(into: source, for: live) }) else { return false }
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
            downstream.error(error)
        }
    }
}

/// A closure as a parameter: bare, it would be wrapped in another.
@usableFromInline
struct Mapping<Input, Output> {
    @usableFromInline let transform: @Sendable (Input) throws -> Output

    @inlinable
    init(transform: @escaping @Sendable (Input) throws -> Output) {
        self.transform = transform
    }
}
