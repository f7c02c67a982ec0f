extension ObservableType {
    /// Puts each element through `resultSelector` with `object`, which is not kept alive. The sequence ends with the
    /// first element that comes after the object is gone.
    ///
    ///     source                                  --1--2-----3----|
    ///     withUnretained(o) { o, e in … }         --a--b-----|            o is gone before 3
    @preconcurrency
    @inlinable
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping @Sendable (Object, Element) -> Result
    ) -> Observable<Result> {
        asObservable().lift(.withUnretained) { [weak object] in WithUnretainedSink(to: $0, object, resultSelector) }
    }

    /// Each element with `object`, which is not kept alive. The sequence ends with the first element that comes after
    /// the object is gone.
    @inlinable
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Observable<(Object, Element)> {
        withUnretained(object, resultSelector: { ($0, $1) })
    }
}

@usableFromInline
final class WithUnretainedSink<Object: AnyObject, Input, Output>: OperatorSink<Input, Output> {
    private weak var object: Object?
    private let resultSelector: @Sendable (Object, Input) -> Output

    @usableFromInline
    init(
        to downstream: Sink<Output>, _ object: Object?, _ resultSelector: @escaping @Sendable (Object, Input) -> Output
    ) {
        self.object = object
        self.resultSelector = resultSelector
        super.init(.withUnretained, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Input) {
        guard let object else { return downstream.completed() }
        let result = resultSelector(object, element)
        if live.isActive { downstream.next(result) }
    }
}
