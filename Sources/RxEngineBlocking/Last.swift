extension BlockingObservable {
    /// Waits for the end of the sequence, and holds only the latest element.
    ///
    ///     --1--2--3--|    3
    ///     -----|          nil
    ///     --1--2--X       throws
    ///
    /// - Returns: the last element, `nil` if there was none.
    /// - Throws: the error that ended the sequence.
    public func last() throws -> Element? {
        try elements(.latest).last
    }
}
