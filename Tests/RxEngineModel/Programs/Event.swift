import RxEngine

/// The event of a program: elements are integers, and so are errors.
package enum ProgramEvent: Hashable, Sendable {
    case next(Int)
    case error(Int)
    case completed
    /// The model stopped here: an endless sequence in one tick. A program that gets this far is discarded.
    case outOfBudget

    package var isTerminal: Bool {
        if case .next = self { false } else { true }
    }
}

/// An event of a hot or cold source and its time.
package struct TimedEvent: Hashable, Sendable {
    package var tick: Int
    package var event: ProgramEvent

    package init(_ tick: Int, _ event: ProgramEvent) {
        self.tick = tick
        self.event = event
    }
}

/// The error of programs. Errors of the engine have numbers from 901 on.
package struct Failure: Error, Hashable, CustomStringConvertible {
    package let number: Int

    package init(_ number: Int) {
        self.number = number
    }

    package static let noElements = 901
    package static let moreThanOneElement = 902
    package static let argumentOutOfRange = 903
    package static let timeout = 904
    package static let bufferOverflow = 905
    package static let cast = 906
    /// The engine does not stop an endless source.
    package static let outOfBudget = 998

    /// The number of any error.
    package static func number(of error: any Error) -> Int {
        let error = error.withoutCheckpoints
        if let failure = error as? Failure { return failure.number }
        if error is BufferOverflowError { return bufferOverflow }
        if error is CastError { return cast }
        if let all = error as? CompositeError { return composite(all.errors.map { number(of: $0) }) }
        return switch error as? RxError {
        case .noElements: noElements
        case .moreThanOneElement: moreThanOneElement
        case .argumentOutOfRange: argumentOutOfRange
        case .timeout: timeout
        default: 999
        }
    }

    /// The number of an error that several delayed errors make, which is not a `Failure`.
    package static func composite(_ numbers: [Int]) -> Int { 910 + Model.digest(numbers) % 80 }

    package var description: String { "Failure(\(number))" }
}

/// A closure of a program from elements to elements, which may throw at one of them.
package struct Function: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case plus(Int)
        case times(Int)
        case half
    }

    package var kind: Kind
    package var throwsAt: Int?

    package init(kind: Kind, throwsAt: Int? = nil) {
        self.kind = kind
        self.throwsAt = throwsAt
    }

    package func callAsFunction(_ value: Int) throws -> Int {
        if value == throwsAt { throw Failure(70) }
        return switch kind {
        case .plus(let number): (value + number) % 1000
        case .times(let number): (value * number) % 1000
        case .half: value / 2
        }
    }
}

/// A condition of a program on elements, which may throw at one of them.
package struct Condition: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case even, odd
        case less(Int), atLeast(Int)
        case not(Int), equal(Int)

        /// What holds where this does not.
        fileprivate var opposite: Kind {
            switch self {
            case .even: .odd
            case .odd: .even
            case .less(let number): .atLeast(number)
            case .atLeast(let number): .less(number)
            case .not(let number): .equal(number)
            case .equal(let number): .not(number)
            }
        }
    }

    package var kind: Kind
    package var throwsAt: Int?

    package init(kind: Kind, throwsAt: Int? = nil) {
        self.kind = kind
        self.throwsAt = throwsAt
    }

    /// The condition that holds where this one does not, and throws where it throws.
    var opposite: Condition { Condition(kind: kind.opposite, throwsAt: throwsAt) }

    package func callAsFunction(_ value: Int) throws -> Bool {
        if value == throwsAt { throw Failure(71) }
        return switch kind {
        case .even: value.isMultiple(of: 2)
        case .odd: !value.isMultiple(of: 2)
        case .less(let number): value < number
        case .atLeast(let number): value >= number
        case .not(let number): value != number
        case .equal(let number): value == number
        }
    }
}
