import Glibc

/// A call to the system that failed.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error number.
    public let number: Int32
    /// What was being done.
    public let doing: String

    /// The error `number` met while `doing` something.
    public init(_ number: Int32, _ doing: String) {
        self.number = number
        self.doing = doing
    }

    /// The error that the last call of this thread left in `errno`.
    static func last(_ doing: String) -> SystemError {
        SystemError(errno, doing)
    }

    /// `doing: the system's words for it`.
    public var description: String {
        "\(doing): \(String(cString: strerror(number)))"
    }
}
