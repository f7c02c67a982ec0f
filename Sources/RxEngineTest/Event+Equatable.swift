import RxEngine

// An error need not be equatable, so errors are compared by their descriptions.

/// Events are equal if their kinds and elements are. Errors are equal if their descriptions are.
extension Event: Equatable where Element: Equatable {
    /// Whether two events have the same kind and equal contents.
    public static func == (lhs: Event<Element>, rhs: Event<Element>) -> Bool {
        switch (lhs, rhs) {
        case (.next(let lhs), .next(let rhs)): lhs == rhs
        case (.error(let lhs), .error(let rhs)): "\(lhs)" == "\(rhs)"
        case (.completed, .completed): true
        default: false
        }
    }
}

/// Events are equal if their kinds and elements are.
extension InfallibleEvent: Equatable where Element: Equatable {
    /// Whether two events have the same kind and equal contents.
    public static func == (lhs: InfallibleEvent<Element>, rhs: InfallibleEvent<Element>) -> Bool {
        lhs.event == rhs.event
    }
}

/// Events are equal if their kinds and elements are. Errors are equal if their descriptions are.
extension MaybeEvent: Equatable where Element: Equatable {
    /// Whether two events have the same kind and equal contents.
    public static func == (lhs: MaybeEvent<Element>, rhs: MaybeEvent<Element>) -> Bool {
        switch (lhs, rhs) {
        case (.success(let lhs), .success(let rhs)): lhs == rhs
        case (.error(let lhs), .error(let rhs)): "\(lhs)" == "\(rhs)"
        case (.completed, .completed): true
        default: false
        }
    }
}

/// Events are equal if their kinds are. Errors are equal if their descriptions are.
extension CompletableEvent: Equatable {
    /// Whether two events have the same kind and equal contents.
    public static func == (lhs: CompletableEvent, rhs: CompletableEvent) -> Bool {
        switch (lhs, rhs) {
        case (.error(let lhs), .error(let rhs)): "\(lhs)" == "\(rhs)"
        case (.completed, .completed): true
        default: false
        }
    }
}
