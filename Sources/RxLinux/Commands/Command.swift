/// A program to run, and how. No shell has a look at it.
public struct Command: Sendable, Hashable {
    /// The program and its arguments, as bytes. A program without a slash in it is looked for in this process's `PATH`.
    public var run: [[UInt8]]
    /// The program's environment; `nil` for this process's own.
    public var environment: [String: String]?
    /// Where the program is started; `nil` for where this process is.
    public var directory: String?
    /// What the program reads on its standard input.
    public var input: [UInt8] = []
    /// How long the program may take, `nil` for as long as it likes. It is then told to end with `SIGTERM`.
    public var timeout: Duration?
    /// How long after `SIGTERM` it is ended with `SIGKILL`, and how long its output is waited for once it has ended.
    public var grace = usualGrace
    /// The ``grace`` of a command that says nothing else.
    public static let usualGrace: Duration = .seconds(5)

    /// How many bytes are kept of its standard output, and of its standard error. The rest is read and dropped.
    public var outputLimit = 1 << 20

    /// The program `run[0]` with the other elements as its arguments.
    public init(
        _ run: [String], environment: [String: String]? = nil, directory: String? = nil, timeout: Duration? = nil
    ) {
        self.run = run.map { Array($0.utf8) }
        self.environment = environment
        self.directory = directory
        self.timeout = timeout
    }

    /// The program's name, for people.
    public var program: String {
        String(decoding: run.first ?? [], as: UTF8.self)
    }
}

/// What became of a command.
public struct CommandResult: Sendable, Hashable {
    /// What a program wrote.
    public struct Output: Sendable, Hashable {
        /// The first bytes of it, as many as were to be kept.
        public var bytes: [UInt8]
        /// Whether there were more.
        public var isTruncated: Bool

        /// These bytes.
        public init(_ bytes: [UInt8] = [], isTruncated: Bool = false) {
            self.bytes = bytes
            self.isTruncated = isTruncated
        }

        /// The bytes as text; what is no UTF-8 shows as U+FFFD.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The status it exited with; `nil` where a signal ended it, or where this process ignores `SIGCHLD` and so is not
    /// told.
    public var exit: Int32?
    /// The signal that ended it.
    public var signal: Int32?
    /// Whether its time was up.
    public var isTimedOut: Bool
    /// What it wrote on standard output.
    public var stdout: Output
    /// What it wrote on standard error.
    public var stderr: Output
    /// How long it ran.
    public var duration: Duration
}

/// A command that could not be started.
public struct CommandError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The program.
    public let program: String
    /// The call that failed.
    public let cause: SystemError

    /// The program could not be started because of `cause`.
    public init(_ program: String, _ cause: SystemError) {
        self.program = program
        self.cause = cause
    }

    /// `cannot start 'program': what failed: the system's words for it`.
    public var description: String {
        "cannot start '\(program)': \(cause)"
    }
}
