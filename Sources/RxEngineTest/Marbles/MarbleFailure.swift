/// The error that `#` stands for in a marble diagram, unless a test chooses another one.
public struct MarbleFailure: Error, Hashable, Sendable {
    /// Makes the error.
    public init() {}
}

extension MarbleFailure: CustomStringConvertible {
    /// `#`, as in the diagram.
    public var description: String { "#" }
}
