/// An error of the engine.
public enum RxError: Swift.Error {
    /// An unspecified failure.
    case unknown
    /// `object` was disposed, so it accepts no subscriber any more.
    case disposed(object: AnyObject & Sendable)
    /// A count exceeded the largest value of its type.
    case overflow
    /// An index is outside the sequence.
    case argumentOutOfRange
    /// A sequence completed without the element that was expected.
    case noElements
    /// A sequence emitted more than the one element that was expected.
    case moreThanOneElement
    /// A sequence emitted no element in time.
    case timeout
}

extension RxError: CustomDebugStringConvertible {
    /// A sentence that describes the error, for a log.
    public var debugDescription: String {
        switch self {
        case .unknown: "unknown error"
        case .disposed(let object): "\(object) was disposed and takes no more subscribers"
        case .overflow: "a count grew larger than its type can hold"
        case .argumentOutOfRange: "the index lies outside the sequence"
        case .noElements: "the sequence ended without an element"
        case .moreThanOneElement: "the sequence has more than one element"
        case .timeout: "no element came in time"
        }
    }
}
