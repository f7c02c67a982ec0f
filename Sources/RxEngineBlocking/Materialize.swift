/// All events of a sequence that has ended.
public enum MaterializedSequenceResult<Element> {
    /// The sequence completed after these elements.
    case completed(elements: [Element])
    /// The sequence failed after these elements.
    case failed(elements: [Element], error: any Error)
}

extension MaterializedSequenceResult: Sendable where Element: Sendable {}

extension BlockingObservable {
    /// Waits for completion or an error.
    ///
    ///     --1--2--3--|    completed([1, 2, 3])
    ///     --1--2--X       failed([1, 2], X)
    ///
    /// - Returns: all elements, and the error if one ended the sequence.
    /// - Complexity: Memory grows with the number of elements.
    public func materialize() -> MaterializedSequenceResult<Element> {
        let (elements, error) = wait(for: .all)
        return if let error { .failed(elements: elements, error: error) } else { .completed(elements: elements) }
    }
}
