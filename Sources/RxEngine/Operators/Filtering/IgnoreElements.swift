extension ObservableType {
    /// Leaves all elements out: what remains is the end.
    ///
    ///     source              --1--2--3--|
    ///     ignoreElements()    -----------|
    @inlinable
    public func ignoreElements() -> Observable<Never> {
        asObservable().lift(.ignoreElements, with: ()) { IgnoreElementsSink(to: $1) }
    }
}

@usableFromInline
final class IgnoreElementsSink<Element>: OperatorSink<Element, Never> {
    @usableFromInline
    override init(to downstream: Sink<Never>) {
        super.init(.ignoreElements, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {}
}
