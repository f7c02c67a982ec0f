extension ObservableType {
    /// Emits the last element when the source completes, or `nil` if it completes without one.
    ///
    ///     source      --1--2--|         -----|
    ///     last()      --------2|        -----nil|
    ///
    /// Succeeds when the source completes. Fails with the source's error.
    /// The outcome is delivered on the source's thread.
    @inlinable
    public func last() -> Single<Element?> { takeLast(1).first() }

    /// Emits the last element when the source completes, or `element` if it completes without one.
    ///
    ///     source              --1--2--|         -----|
    ///     last(default: 9)    --------2|        -----9|
    ///
    /// Succeeds when the source completes. Fails with the source's error.
    /// The outcome is delivered on the source's thread.
    @inlinable
    public func last(default element: Element) -> Single<Element> {
        takeLast(1).ifEmpty(default: element).asSingle()
    }
}
