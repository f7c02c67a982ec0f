/// The engine's own errors.
public enum RxError: Swift.Error {
    /// Something that has no name.
    case unknown
    /// `object` was disposed and can no longer be subscribed to.
    case disposed(object: AnyObject & Sendable)
    /// A count went over the largest value of its type.
    case overflow
    /// An index lies outside the sequence.
    case argumentOutOfRange
    /// A sequence that must have an element has none.
    case noElements
    /// A sequence that must have one element has more.
    case moreThanOneElement
    /// No element came in time.
    case timeout
}

extension RxError: CustomDebugStringConvertible {
    /// One sentence for a log.
    public var debugDescription: String {
        switch self {
        case .unknown: "something failed that has no name"
        case .disposed(let object): "\(object) was disposed and takes no more subscribers"
        case .overflow: "a count grew larger than its type can hold"
        case .argumentOutOfRange: "the index lies outside the sequence"
        case .noElements: "the sequence ended without an element"
        case .moreThanOneElement: "the sequence has more than one element"
        case .timeout: "no element came in time"
        }
    }
}
