/// What a character of a marble diagram stands for.
public enum MarbleMark: Hashable, Sendable {
    /// A value, by its name. The parser makes names of one Unicode scalar each: a letter, digit, symbol or punctuation.
    case value(Character)
    /// `|`: the sequence completes.
    case completion
    /// `#`: the sequence fails.
    case error
    /// `^`: an observer subscribes.
    case subscription
    /// `!`: the subscription is disposed.
    case disposal
}

extension MarbleMark {
    /// The character in a diagram.
    public var character: Character {
        switch self {
        case .value(let name): name
        case .completion: "|"
        case .error: "#"
        case .subscription: "^"
        case .disposal: "!"
        }
    }

    /// Whether no mark follows it: a completion, an error or a disposal.
    public var isEnd: Bool {
        switch self {
        case .value, .subscription: false
        case .completion, .error, .disposal: true
        }
    }
}
