import RxEngine

// Errors need not be comparable, so that it is their descriptions that are compared.

/// Events are equal when their kinds and elements are; errors are when their descriptions are.
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

/// Events are equal when their kinds and elements are.
extension InfallibleEvent: Equatable where Element: Equatable {
    /// Whether both are the same kind of event about the same thing.
    public static func == (lhs: InfallibleEvent<Element>, rhs: InfallibleEvent<Element>) -> Bool {
        lhs.event == rhs.event
    }
}

/// Events are equal when their kinds and elements are; errors are when their descriptions are.
extension MaybeEvent: Equatable where Element: Equatable {
    /// Whether both are the same kind of event about the same thing.
    public static func == (lhs: MaybeEvent<Element>, rhs: MaybeEvent<Element>) -> Bool {
        switch (lhs, rhs) {
        case (.success(let lhs), .success(let rhs)): lhs == rhs
        case (.error(let lhs), .error(let rhs)): "\(lhs)" == "\(rhs)"
        case (.completed, .completed): true
        default: false
        }
    }
}

/// Events are equal when their kinds are; errors are when their descriptions are.
extension CompletableEvent: Equatable {
    /// Whether both are the same kind of event.
    public static func == (lhs: CompletableEvent, rhs: CompletableEvent) -> Bool {
        switch (lhs, rhs) {
        case (.error(let lhs), .error(let rhs)): "\(lhs)" == "\(rhs)"
        case (.completed, .completed): true
        default: false
        }
    }
}
