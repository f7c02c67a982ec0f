/// What a sequence was, once it is over.
public enum MaterializedSequenceResult<Element> {
    /// It ended after these elements.
    case completed(elements: [Element])
    /// It failed after these elements.
    case failed(elements: [Element], error: any Error)
}

extension MaterializedSequenceResult: Sendable where Element: Sendable {}

extension BlockingObservable {
    /// Waits for the end, of either kind.
    ///
    ///     --1--2--3--|    completed([1, 2, 3])
    ///     --1--2--X       failed([1, 2], X)
    ///
    /// - Returns: all elements, and the error where one ended the sequence.
    public func materialize() -> MaterializedSequenceResult<Element> {
        let (elements, error) = wait(for: .all)
        return if let error { .failed(elements: elements, error: error) } else { .completed(elements: elements) }
    }
}
