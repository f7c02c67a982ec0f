extension ObservableType where Element: EventConvertible {
    /// The events that the source's elements are. The first that ends a sequence ends this one.
    ///
    ///     source              --1--2--X-----|      with elements .next(1), .next(2), .error(X)
    ///     dematerialize()     --1--2--X
    ///
    /// It is the inverse of ``ObservableType/materialize()``.
    @inlinable
    public func dematerialize() -> Observable<Element.Element> {
        asObservable().lift(.dematerialize, with: ()) { DematerializeSink(to: $1) }
    }
}

@usableFromInline
final class DematerializeSink<Input: EventConvertible>: OperatorSink<Input, Input.Element> {
    @usableFromInline
    override init(to downstream: Sink<Input.Element>) {
        super.init(.dematerialize, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        let event = element.event
        if live.isActive { downstream.on(event) }
    }
}
