import CLinux
import Glibc

/// What it takes to start a program.
struct Spawn: ~Copyable {
    private let command: Command
    // The C library's structures must stay where they are.
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

    /// Starts the program with `streams` as its standard input, output and error; none of them is one of ours.
    ///
    /// - Returns: its process number.
    func start(_ streams: [Int32]) throws(SystemError) -> pid_t {
        let environment = command.environment.map { variables in
            variables.sorted { $0.key < $1.key }.map { Array("\($0.key)=\($0.value)".utf8) }
        }
        try check(environment)
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
        posix_spawnattr_setpgroup(attributes, 0)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        posix_spawnattr_setflags(attributes, Int16(flags))

        var number = pid_t()
        let status = withTexts(command.run) { run in
            guard let program = run[0] else { return EINVAL }
            guard let environment else {
                return posix_spawnp(&number, program, actions, attributes, run, environ)
            }
            return withTexts(environment) { posix_spawnp(&number, program, actions, attributes, run, $0) }
        }
        guard status == 0 else { throw SystemError(status, whatFailed(with: status)) }
        return number
    }

    /// What C cannot be told.
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

    /// The call reports one number for all it does: a directory that cannot be entered is told apart.
    private func whatFailed(with status: Int32) -> String {
        guard let directory = command.directory else { return "running it" }
        var found = stat()
        let cannotEnter =
            if stat(directory, &found) != 0 {
                errno == status
            } else if found.st_mode & S_IFMT != S_IFDIR {
                status == ENOTDIR
            } else {
                status == EACCES && access(directory, X_OK) != 0
            }
        return cannotEnter ? "entering '\(directory)'" : "running it in '\(directory)'"
    }

    /// Calls `body` with these texts as C has lists of them.
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
