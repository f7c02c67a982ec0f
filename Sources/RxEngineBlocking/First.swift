extension BlockingObservable {
    /// Waits for the first element, and then disposes the source: the sequence may be infinite.
    ///
    ///     --1--2--3-->    1
    ///     -----|          nil
    ///     --X             throws
    ///
    /// - Returns: the first element, `nil` if the sequence completed without one.
    /// - Throws: the error of a sequence that failed before its first element.
    public func first() throws -> Element? {
        try elements(.first(1)).first
    }
}
