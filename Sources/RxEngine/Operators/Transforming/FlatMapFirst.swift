import Synchronization

extension ObservableType {
    /// The elements of the sequence that `selector` makes of an element of this one; while that sequence runs, this
    /// one's elements are ignored, and `selector` is not called.
    ///
    ///     source                          --1-3-----5----|
    ///     flatMapFirst { x, then 10x }    --1--10---5--50|
    ///
    /// It ends when this sequence and the one that is running have ended, or with the first error, `selector`'s
    /// included.
    @preconcurrency
    @inlinable
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping @Sendable (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let upstream = asObservable()
        if upstream.isOnly { return .following(.flatMapFirst, upstream) { try selector($0).asObservable() } }
        return .source(.flatMapFirst) { downstream in
            let run = FirstConfluence(.flatMapFirst, into: downstream)
            return run.run(
                upstream, FirstFlatteningSink(into: run, LiveSubscription()) { try selector($0).asObservable() })
        }
    }
}

/// A confluence of one source at a time.
@usableFromInline
final class FirstConfluence<Element>: Confluence<Element> {
    private let isBusy = Atomic(false)

    @usableFromInline
    override init(_ operation: Operator, into downstream: Sink<Element>) {
        super.init(operation, into: downstream)
    }

    /// - Returns: whether no source was running, so that the caller starts one now.
    fileprivate func begin() -> Bool {
        isBusy.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }

    override func take(_ source: Observable<Element>) {
        if tellOnly(source) { isBusy.store(false, ordering: .releasing) } else { run(source) }
    }

    /// Also called for the source of sources, after which it no longer matters who is busy.
    override func completed(_ key: RunningSources.Key) {
        isBusy.store(false, ordering: .releasing)
        super.completed(key)
    }
}

/// Lets an element through where no source is running.
@usableFromInline
final class FirstFlatteningSink<Input, Output>: FlatteningSink<Input, Output> {
    private let confluence: FirstConfluence<Output>

    @usableFromInline
    init(
        into confluence: FirstConfluence<Output>, _ live: LiveSubscription,
        _ select: @escaping (Input) throws -> Observable<Output>
    ) {
        self.confluence = confluence
        super.init(into: confluence, live, select)
    }

    @usableFromInline
    override func next(_ element: Input) {
        if live.isActive, confluence.begin() { super.next(element) }
    }
}
