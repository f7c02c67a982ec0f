extension BlockingObservable {
    /// Waits for the first element, and disposes the source from within its event: an endless one is no trouble.
    ///
    ///     --1--2--3-->    1
    ///     -----|          nil
    ///     --X             throws
    ///
    /// - Returns: the element, `nil` where the sequence ended without one.
    /// - Throws: the error that came before any element.
    public func first() throws -> Element? {
        try elements(.first(1)).first
    }
}
