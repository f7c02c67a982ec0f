extension BlockingObservable {
    /// Waits for the end of the sequence.
    ///
    ///     --1--2--3--|    [1, 2, 3]
    ///     --1--2--X       throws
    ///
    /// - Returns: all elements.
    /// - Throws: the error that ended the sequence.
    /// - Complexity: Memory grows with the number of elements.
    public func toArray() throws -> [Element] {
        try elements(.all)
    }
}
