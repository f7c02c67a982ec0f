import CLinux
import Glibc

/// The arguments of `posix_spawn` for a program.
struct Spawn: ~Copyable {
    private let command: Command
    // The C library's structures must keep their addresses.
    private let actions: UnsafeMutablePointer<posix_spawn_file_actions_t>
    private let attributes: UnsafeMutablePointer<posix_spawnattr_t>

    init(_ command: Command) {
        self.command = command
        actions = .allocate(capacity: 1)
        attributes = .allocate(capacity: 1)
        posix_spawn_file_actions_init(actions)
        posix_spawnattr_init(attributes)
    }

    deinit {
        posix_spawn_file_actions_destroy(actions)
        posix_spawnattr_destroy(attributes)
        actions.deallocate()
        attributes.deallocate()
    }

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - streams: its standard input, output and error; none of them is a standard stream of this process.
    ///   - mark: an assignment to add to its environment, by which its descendants are found.
    /// - Returns: its process number.
    func start(_ streams: [Int32], mark: String) throws(SystemError) -> pid_t {
        let given = command.environment.map { variables in
            variables.sorted { $0.key < $1.key }.map { ByteText.bytes(of: "\($0.key)=\($0.value)") }
        }
        try check(given)
        let environment =
            (given ?? Self.inherited()).filter { !$0.starts(with: CommandRunTable.variable) } + [Array(mark.utf8)]
        for (number, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(actions, stream, Int32(number))
        }
        posix_spawn_file_actions_addclosefrom_np(actions, 3)
        if let directory = command.directory { posix_spawn_file_actions_addchdir_np(actions, directory) }

        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(attributes, &none)
        posix_spawnattr_setsigdefault(attributes, &all)
        // A new session is also a new process group, and no process can join the session of another. So a child of this
        // process that is in another session than this process is a command, or was adopted.
        let newSession: Int32 = 0x80
        let flags = newSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(attributes, Int16(flags))

        var number = pid_t()
        let status = withTexts(command.run) { run in
            guard let program = run[0] else { return EINVAL }
            return withTexts(environment) { posix_spawnp(&number, program, actions, attributes, run, $0) }
        }
        guard status == 0 else { throw SystemError(status, failedStep(with: status)) }
        return number
    }

    /// Returns this process's environment, as bytes that need not be UTF-8, without its private variables.
    private static func inherited() -> [[UInt8]] {
        var variables: [[UInt8]] = []
        var next = environ
        while let variable = next.pointee {
            let bytes = Array(UnsafeRawBufferPointer(start: variable, count: strlen(variable)))
            let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
            if !Command.privateVariables.contains(name) { variables.append(bytes) }
            next += 1
        }
        for (name, value) in Command.hidden.withLock({ $0 }) { variables.append(Array("\(name)=".utf8) + value) }
        return variables
    }

    /// Throws if a text cannot be passed to C.
    private func check(_ environment: [[UInt8]]?) throws(SystemError) {
        guard let program = command.run.first, !program.isEmpty else {
            throw SystemError(EINVAL, "no program is named")
        }
        if command.run.contains(where: { $0.contains(0) }) {
            throw SystemError(EINVAL, "an argument has a NUL byte in it")
        }
        if environment?.contains(where: { $0.contains(0) }) == true || command.directory?.utf8.contains(0) == true {
            throw SystemError(EINVAL, "its environment or directory has a NUL byte in it")
        }
    }

    /// Returns the step that failed: `posix_spawnp` reports one number for all its steps, so the directory is checked.
    private func failedStep(with status: Int32) -> String {
        let isInPath = command.run.first?.contains(UInt8(ascii: "/")) == false
        let running = status == ENOENT && isInPath ? "looking for it in PATH" : "running it"
        guard let directory = command.directory else { return running }
        var found = stat()
        let cannotEnter =
            if stat(directory, &found) != 0 {
                errno == status
            } else if found.st_mode & S_IFMT != S_IFDIR {
                status == ENOTDIR
            } else {
                status == EACCES && access(directory, X_OK) != 0
            }
        return cannotEnter ? "entering '\(directory)'" : "\(running) in '\(directory)'"
    }

    /// Calls `body` with the texts as an array of C strings that a null pointer ends.
    private func withTexts<Result>(
        _ texts: [[UInt8]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var bytes: [CChar] = []
        var starts: [Int] = []
        for text in texts {
            starts.append(bytes.count)
            bytes += text.map { CChar(bitPattern: $0) }
            bytes.append(0)
        }
        return bytes.withUnsafeMutableBufferPointer { buffer in
            let pointers = starts.map { start in buffer.baseAddress.map { $0 + start } } + [nil]
            return pointers.withUnsafeBufferPointer { list in
                guard let first = list.baseAddress else { preconditionFailure("a list ends in a null pointer") }
                return body(first)
            }
        }
    }
}
