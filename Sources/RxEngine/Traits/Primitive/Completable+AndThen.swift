extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// What `second` tells, which is subscribed to once this is done. The error of this ends both.
    ///
    ///     source     ---|
    ///     second        --x|
    ///     andThen    -----x|
    @inlinable
    public func andThen<Element>(_ second: Single<Element>) -> Single<Element> {
        Single(raw: followed(by: second.source))
    }

    /// What `second` tells, which is subscribed to once this is done. The error of this ends both.
    @inlinable
    public func andThen<Element>(_ second: Maybe<Element>) -> Maybe<Element> {
        Maybe(raw: followed(by: second.source))
    }

    /// This and then, once it is done, `second`. The error of this ends both.
    @inlinable
    public func andThen(_ second: Completable) -> Completable {
        concat(second)
    }

    /// What `second` tells, which is subscribed to once this is done. The error of this ends both.
    ///
    ///     source     ---|
    ///     second        --1--2--|
    ///     andThen    -----1--2--|
    @inlinable
    public func andThen<Element>(_ second: Observable<Element>) -> Observable<Element> {
        followed(by: second)
    }

    @usableFromInline
    func followed<Other>(by second: Observable<Other>) -> Observable<Other> {
        source.lift(.concat) { RetypingSink<Other>(.concat, to: $0) }.concat(second)
    }
}

/// Passes the end of a sequence without elements on to one of another type.
private final class RetypingSink<Output>: OperatorSink<Never, Output> {
    override func next(_ element: Never) {}
}
