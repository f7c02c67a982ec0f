import RxEngine

/// Events are equal when their kinds and elements are; errors, which need not be comparable, when their descriptions
/// are.
extension Event: Equatable where Element: Equatable {
    /// Whether both are the same kind of event about the same thing.
    public static func == (lhs: Event<Element>, rhs: Event<Element>) -> Bool {
        switch (lhs, rhs) {
        case (.next(let lhs), .next(let rhs)): lhs == rhs
        case (.error(let lhs), .error(let rhs)): "\(lhs)" == "\(rhs)"
        case (.completed, .completed): true
        default: false
        }
    }
}
