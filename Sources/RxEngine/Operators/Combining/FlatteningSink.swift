extension MergeRun {
    /// Runs the outer source: `select` makes an inner source of each of its elements.
    ///
    /// - Returns: the disposable of the operator's run.
    @inlinable
    final func run<Input>(
        _ upstream: Observable<Input>, _ select: @escaping (Input) throws -> Observable<Element>
    ) -> any Disposable {
        run(upstream, FlatteningSink(into: self, makeLive(), select))
    }

    /// Runs the outer source into its sink.
    ///
    /// - Returns: the disposable of the operator's run.
    @usableFromInline
    final func run<Input>(_ upstream: Observable<Input>, _ sink: FlatteningSink<Input, Element>) -> any Disposable {
        if let key = sources.add(sink.live) {
            sink.key = key
            sink.live.attach(upstream.run(sink))
        }
        return sources
    }
}

/// The boundary sink of the outer source's chain: makes an inner source of each element, for the merge run to start.
@usableFromInline
class FlatteningSink<Input, Output>: BoundarySink<Input> {
    private let mergeRun: MergeRun<Output>
    private let select: (Input) throws -> Observable<Output>
    /// The outer source's key in the run's sources. Set before the source starts.
    @exclusivity(unchecked) fileprivate final var key: RunningSources.Key = 0

    @usableFromInline
    init(
        into mergeRun: MergeRun<Output>, _ live: LiveSubscription,
        _ select: @escaping (Input) throws -> Observable<Output>
    ) {
        self.mergeRun = mergeRun
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
            return fail(with: error)
        }
        if mergeRun.isActive { mergeRun.receive(source) }
    }

    @inline(never)
    private final func fail(with error: any Error) {
        self.error(Hooks.thrown(error, in: mergeRun.operation))
    }

    @usableFromInline
    override func ended(_ end: Termination) {
        mergeRun.sourceEnded(end, key)
    }
}
