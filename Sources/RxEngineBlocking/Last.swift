extension BlockingObservable {
    /// Waits for the end. Holds on to one element at a time.
    ///
    ///     --1--2--3--|    3
    ///     -----|          nil
    ///     --1--2--X       throws
    ///
    /// - Returns: the last element, `nil` where there was none.
    /// - Throws: the error that ended the sequence.
    public func last() throws -> Element? {
        try elements(.latest).last
    }
}
