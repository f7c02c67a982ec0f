/// The terminal event of a sequence.
public enum Termination {
    /// The sequence failed.
    case error(any Error)
    /// The sequence completed.
    case completed
}

extension Event {
    /// Creates a terminal event.
    init(_ end: Termination) {
        switch end {
        case .error(let error): self = .error(error)
        case .completed: self = .completed
        }
    }
}
