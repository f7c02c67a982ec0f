extension ObservableType {
    /// Calls `action` exactly once, when the sequence has ended or was disposed.
    ///
    ///     source           --1--2--|
    ///     doFinally(…)     --1--2--|     calls the closure after the end
    ///
    /// Completes and fails with the source. The observer is called on the source's thread, and `action` on the thread
    /// that ends or disposes the sequence, after the source was disposed.
    ///
    /// - Parameter action: the closure to call.
    @preconcurrency
    @inlinable
    public func doFinally(_ action: @escaping @Sendable () -> Void) -> Observable<Element> {
        self.do(onDispose: action)
    }

    /// Calls `action` exactly once, when the sequence has ended or was disposed, as ``doFinally(_:)`` does.
    ///
    /// Completes and fails with the source. `action` is called on the thread that ends or disposes the sequence.
    ///
    ///     source         --1--2--|
    ///     finally(…)     --1--2--|     calls the closure after the end
    ///
    /// - Parameter action: the closure to call.
    @preconcurrency
    @inlinable
    public func finally(_ action: @escaping @Sendable () -> Void) -> Observable<Element> {
        doFinally(action)
    }
}
