import Glibc

/// The error of a failed system call.
public struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error number, as in `errno`.
    public let number: Int32
    /// The operation that failed, such as `opening 'PATH'`.
    public let doing: String

    /// Creates the error `number` of the operation `doing`.
    public init(_ number: Int32, _ doing: String) {
        self.number = number
        self.doing = doing
    }

    /// Returns the error in `errno`, which the last system call of this thread has set.
    package static func last(_ doing: String) -> SystemError {
        SystemError(errno, doing)
    }

    /// A message of the form `OPERATION: REASON`.
    public var description: String {
        "\(doing): \(String(cString: strerror(number)))"
    }
}
