extension Confluence {
    /// Runs the source of sources: `select` makes a source of each of its elements.
    ///
    /// - Returns: what the operator's run returns.
    @inlinable
    final func flow<Input>(
        _ upstream: Observable<Input>, _ select: @escaping (Input) throws -> Observable<Element>
    ) -> any Disposable {
        run(upstream, FlatteningSink(into: self, LiveSubscription(), select))
    }

    /// Runs the source of sources into its sink.
    @usableFromInline
    final func run<Input>(_ upstream: Observable<Input>, _ sink: FlatteningSink<Input, Element>) -> any Disposable {
        if let key = sources.add(sink.live) {
            sink.key = key
            sink.live.attach(upstream.run(sink))
        }
        return sources
    }
}

/// The end of the chain of the source of sources.
@usableFromInline
class FlatteningSink<Input, Output>: Sink<Input> {
    private let confluence: Confluence<Output>
    private let select: (Input) throws -> Observable<Output>
    /// Set before the source starts.
    @exclusivity(unchecked) fileprivate final var key: RunningSources.Key = 0

    @usableFromInline
    init(
        into confluence: Confluence<Output>, _ live: LiveSubscription,
        _ select: @escaping (Input) throws -> Observable<Output>
    ) {
        self.confluence = confluence
        self.select = select
        super.init(live)
    }

    @usableFromInline
    override func next(_ element: Input) {
        guard live.isActive else { return }
        let source: Observable<Output>
        do {
            source = try select(element)
        } catch {
            return self.error(error)
        }
        if confluence.isWanted { confluence.take(source) }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        guard live.end() else { return }
        confluence.stop(with: .error(error))
        live.dispose()
    }

    @usableFromInline
    override func completed() {
        guard live.end() else { return }
        confluence.completed(key)
        live.dispose()
    }
}
