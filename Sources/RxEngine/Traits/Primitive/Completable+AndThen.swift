extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Subscribes to `second` when this sequence completes, and emits its element.
    ///
    ///     source     ---|
    ///     second        --x|
    ///     andThen    -----x|
    ///
    /// `second` is not subscribed to if this sequence fails: the result fails with that error.
    /// The thread on which this sequence completes subscribes to `second`, on whose threads its outcome, also an error,
    /// is delivered.
    @inlinable
    public func andThen<Element>(_ second: Single<Element>) -> Single<Element> {
        Single(raw: followed(by: second.source))
    }

    /// Subscribes to `second` when this sequence completes, and emits its outcome.
    ///
    /// `second` is not subscribed to if this sequence fails: the result fails with that error.
    /// The thread on which this sequence completes subscribes to `second`, on whose threads its outcome, also an error,
    /// is delivered.
    @inlinable
    public func andThen<Element>(_ second: Maybe<Element>) -> Maybe<Element> {
        Maybe(raw: followed(by: second.source))
    }

    /// Subscribes to `second` when this sequence completes, and completes with it.
    ///
    /// `second` is not subscribed to if this sequence fails: the result fails with that error.
    /// The thread on which this sequence completes subscribes to `second`; an error of `second` passes.
    @inlinable
    public func andThen(_ second: Completable) -> Completable {
        concat(second)
    }

    /// Subscribes to `second` when this sequence completes, and emits its elements.
    ///
    ///     source     ---|
    ///     second        --1--2--|
    ///     andThen    -----1--2--|
    ///
    /// `second` is not subscribed to if this sequence fails: the result fails with that error.
    /// The thread on which this sequence completes subscribes to `second`, on whose threads its events, also an error,
    /// are delivered.
    @inlinable
    public func andThen<Element>(_ second: Observable<Element>) -> Observable<Element> {
        followed(by: second)
    }

    @usableFromInline
    func followed<Other>(by second: Observable<Other>) -> Observable<Other> {
        source.lift(.concat) { RetypingSink<Other>(.concat, to: $0) }.concat(second)
    }
}

/// Passes the end of a sequence without elements to a sink of another element type.
private final class RetypingSink<Output>: OperatorSink<Never, Output> {
    override func next(_ element: Never) {}
}
