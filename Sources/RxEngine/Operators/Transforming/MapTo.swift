extension ObservableType {
    /// Emits `value` for each element.
    ///
    ///     source        --1--2--3--|
    ///     mapTo("x")    --x--x--x--|
    ///
    /// Completes and fails with the source.
    /// The observer is called on the source's thread.
    @inlinable
    public func mapTo<Result>(_ value: Result) -> Observable<Result> {
        let step = Step<Element, Result> { _, downstream in downstream.next(value) }
        return asObservable().lift(.mapTo, with: step) { StepSink(.mapTo, to: $1, $0) }
    }
}
