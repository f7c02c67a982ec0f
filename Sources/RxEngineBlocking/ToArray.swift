extension BlockingObservable {
    /// Waits for the end.
    ///
    ///     --1--2--3--|    [1, 2, 3]
    ///     --1--2--X       throws
    ///
    /// - Returns: all elements.
    /// - Throws: the error that ended the sequence.
    public func toArray() throws -> [Element] {
        try elements(.all)
    }
}
