/// An error in the text of a marble diagram.
public struct MarbleError: Error, Hashable, Sendable {
    /// The column of the error, counted in Unicode scalars from 1.
    public let column: Int
    /// What is wrong, and what to do.
    public let problem: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - column: where the error is, counted in Unicode scalars from 1.
    ///   - problem: what is wrong, and what to do.
    public init(column: Int, problem: String) {
        self.column = column
        self.problem = problem
    }
}

extension MarbleError: CustomStringConvertible {
    /// `marbles:column: problem`.
    public var description: String { "marbles:\(column): \(problem)" }
}
