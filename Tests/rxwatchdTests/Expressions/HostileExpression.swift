import RxJSON

/// A hostile expression, its input and its outcome.
struct HostileExpression: Sendable {
    /// The value to which the expression is applied.
    enum Input: Sendable, ExpressibleByStringLiteral {
        /// A value, as JSON.
        case json(String)
        /// A piece of text, repeated.
        case text(String, Int, end: String = "")
        /// The numbers from 0.
        case numbers(Int)
        /// An object with this many members.
        case members(Int)
        /// A null within this many lists.
        case nested(Int)

        init(stringLiteral json: String) { self = .json(json) }
    }

    /// The outcome of an evaluation.
    enum Outcome: Sendable, Equatable {
        /// These outputs, as JSON.
        case gives(String)
        /// An error of the event, with this beginning.
        case fails(String)
        /// An error of the event: the limit of memory or, on a slow machine, the one of processor time is reached first.
        case exceedsLimit
        /// An error of the configuration, with this beginning: the expression is not even compiled.
        case refused(String)
    }

    let text: String
    let input: Input
    let outcome: Outcome

    init(_ text: String, _ input: Input, _ outcome: Outcome) {
        self.text = text
        self.input = input
        self.outcome = outcome
    }
}

extension HostileExpression {
    /// All hostile expressions.
    static let all =
        indices + paths + numbers + texts + decoding + patterns + loops + depth + lists + ends + errors + dates
}

extension HostileExpression.Input {
    /// The input's value.
    func value() throws -> JSON {
        switch self {
        case .json(let text): try JSON(parsing: text)
        case .text(let piece, let count, let end): .string(String(repeating: piece, count: count) + end)
        case .numbers(let count): .array((0..<count).map { .number(Double($0)) })
        case .members(let count):
            .object(JSON.Object(uniqueKeysWithValues: (0..<count).map { ("k\($0)", .number(Double($0))) }))
        case .nested(let count): (0..<count).reduce(.null) { inner, _ in [inner] }
        }
    }
}
