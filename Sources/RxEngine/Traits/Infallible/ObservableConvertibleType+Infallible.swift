extension ObservableConvertibleType {
    /// The same sequence, with `element` and the end in an error's place.
    ///
    ///     source                                 --1--2--X
    ///     asInfallible(onErrorJustReturn: y)     --1--2--y|
    @inlinable
    public func asInfallible(onErrorJustReturn element: Element) -> Infallible<Element> {
        Infallible(asObservable().catchAndReturn(element))
    }

    /// The same sequence, which goes on with `infallible` after an error.
    @inlinable
    public func asInfallible(onErrorFallbackTo infallible: Infallible<Element>) -> Infallible<Element> {
        Infallible(asObservable().catch { _ in infallible.asObservable() })
    }

    /// The same sequence, which goes on, after an error, with what `onErrorRecover` makes of it.
    @preconcurrency
    @inlinable
    public func asInfallible(
        onErrorRecover: @escaping @Sendable (any Swift.Error) -> Infallible<Element>
    ) -> Infallible<Element> {
        Infallible(asObservable().catch { onErrorRecover($0).asObservable() })
    }
}
