extension ObservableType {
    /// Drops all elements, and emits only completion or the error.
    ///
    ///     source              --1--2--3--|
    ///     ignoreElements()    -----------|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the thread that ends the source.
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
