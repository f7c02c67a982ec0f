/// A program to run, with its arguments and options. No shell is involved.
public struct Command: Sendable, Hashable {
    /// The program and its arguments, as bytes. A program name without a slash is searched for in the `PATH`.
    public var run: [[UInt8]]
    /// The program's environment; `nil` for ``inheritedEnvironment``.
    public var environment: [String: String]?
    /// The program's working directory; `nil` for that of this process.
    public var directory: String?
    /// The bytes of the program's standard input.
    public var input: [UInt8] = []
    /// The time after which the program gets `SIGTERM`; `nil` for no limit.
    public var timeout: Duration?
    /// The time between `SIGTERM` and `SIGKILL`, and the longest wait for the output of a program that has ended.
    public var grace = defaultGrace
    /// The default ``grace``: 5 s.
    public static let defaultGrace: Duration = .seconds(5)

    /// The most bytes to keep of standard output, and of standard error; default: 1 MiB. The rest is read and dropped.
    public var outputLimit = 1 << 20

    /// Creates a command from texts, which ``ByteText`` converts to bytes.
    ///
    /// - Parameters:
    ///   - run: the program and its arguments.
    ///   - environment: the program's environment; `nil` for ``inheritedEnvironment``.
    ///   - directory: its working directory; `nil` for that of this process.
    ///   - timeout: the time after which it gets `SIGTERM`; `nil` for no limit.
    public init(
        _ run: [String], environment: [String: String]? = nil, directory: String? = nil, timeout: Duration? = nil
    ) {
        self.run = run.map { ByteText.bytes(of: $0) }
        self.environment = environment
        self.directory = directory
        self.timeout = timeout
    }

    /// The program's name, for messages.
    public var program: String {
        String(decoding: run.first ?? [], as: UTF8.self)
    }
}

/// The result of a command that has ended.
public struct CommandResult: Sendable, Hashable {
    /// The output of a program on one stream.
    public struct Output: Sendable, Hashable {
        /// The first bytes, up to ``Command/outputLimit``. If many programs write at once, the first 64 KiB at least.
        public var bytes: [UInt8]
        /// Whether the program wrote more than ``bytes``.
        public var isTruncated: Bool

        /// Creates an output.
        public init(_ bytes: [UInt8] = [], isTruncated: Bool = false) {
            self.bytes = bytes
            self.isTruncated = isTruncated
        }

        /// The bytes as text, with U+FFFD in place of bytes that are not UTF-8.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The program's exit status; `nil` if a signal ended it, or if this process ignores `SIGCHLD` and so cannot know.
    public var exit: Int32?
    /// The signal that ended the program; `nil` if none did.
    public var signal: Int32?
    /// Whether the program ran into its timeout.
    public var isTimedOut: Bool
    /// The standard output.
    public var stdout: Output
    /// The standard error.
    public var stderr: Output
    /// How long the program ran.
    public var duration: Duration
}

/// The error of a command that could not be started.
public struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The program.
    public let program: String
    /// The call that failed.
    public let cause: SystemError

    /// Creates the error of a program that could not be started because of `cause`.
    public init(_ program: String, _ cause: SystemError) {
        self.program = program
        self.cause = cause
    }

    /// A message of the form `cannot start 'PROGRAM': CALL: REASON`.
    public var description: String {
        "cannot start '\(program)': \(cause)"
    }
}
