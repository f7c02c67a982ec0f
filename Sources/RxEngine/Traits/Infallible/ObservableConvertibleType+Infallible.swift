extension ObservableConvertibleType {
    /// Converts to a sequence that emits `element` and completes in place of an error.
    ///
    ///     source                                 --1--2--X
    ///     asInfallible(onErrorJustReturn: y)     --1--2--y|
    ///
    /// Otherwise it completes with this sequence. The thread that delivers the error emits `element`.
    @inlinable
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        Infallible(asObservable().catchAndReturn(element))
    }

    /// Converts to a sequence that subscribes to `infallible` after an error.
    ///
    /// It completes with this sequence or, after an error, with `infallible`, to which the thread that delivers the
    /// error subscribes.
    @inlinable
    public func asInfallible(onErrorFallbackTo infallible: Infallible<Element>) -> Infallible<Element> {
        Infallible(asObservable().catch { _ in infallible.asObservable() })
    }

    /// Converts to a sequence that subscribes to the result of `onErrorRecover` after an error.
    ///
    /// It completes with this sequence or, after an error, with that result. `onErrorRecover` runs on the thread that
    /// delivers the error.
    @preconcurrency
    @inlinable
    public func asInfallible(
        onErrorRecover: @escaping @Sendable (any Swift.Error) -> Infallible<Element>
    ) -> Infallible<Element> {
        Infallible(asObservable().catch { onErrorRecover($0).asObservable() })
    }
}
