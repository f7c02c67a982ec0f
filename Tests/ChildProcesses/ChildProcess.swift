import Glibc

/// A process that a test has started.
package struct ChildProcess: Sendable {
    /// The target of one of its standard streams.
    package enum Stream {
        /// The stream of this process.
        case same
        case closed
        case null
        /// A file to which output is appended.
        case file(String)
        case descriptor(Int32)
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let id: pid_t

    /// - Parameter environment: the whole environment, besides the search path and the time zone.
    package init(
        _ program: String, _ arguments: [String], environment: [String] = [], input: Stream = .same,
        output: Stream = .null, errors: Stream = .null
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in [input, output, errors].enumerated() {
            Self.add(stream, as: Int32(number), to: &actions)
        }
        // A process that reads a pipe of another test would wait for this process, too.
        for other in (STDERR_FILENO + 1)..<256 { posix_spawn_file_actions_addclose(&actions, other) }

        // The threads that tests run on block signals, which a child would inherit.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var words = Self.copies([program] + arguments)
        let names = Set(environment.map { $0.prefix { $0 != "=" } })
        let defaults = ["PATH=/usr/bin:/bin", "TZ=UTC"].filter { !names.contains($0.prefix { $0 != "=" }) }
        var variables = Self.copies(defaults + environment)
        defer { for text in words + variables { free(text) } }
        var id = pid_t()
        let status = posix_spawn(&id, program, &actions, &attributes, &words, &variables)
        guard status == 0 else {
            throw Failure(description: "\(program) cannot be started: \(String(cString: strerror(status)))")
        }
        self.id = id
    }

    private static func add(_ stream: Stream, as number: Int32, to actions: inout posix_spawn_file_actions_t) {
        switch stream {
        case .same: break
        case .closed: posix_spawn_file_actions_addclose(&actions, number)
        case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        case .file(let path):
            posix_spawn_file_actions_addopen(&actions, number, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        }
    }

    /// The texts as C strings, which the caller must free.
    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    }

    /// Waits until the process has ended.
    ///
    /// - Returns: its exit code, or the negative number of the signal that ended it.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return Self.code(status)
    }

    /// The same as ``wait()``, if the process has ended; otherwise `nil`.
    package func codeIfEnded() -> Int32? {
        var status: Int32 = 0
        return waitpid(id, &status, WNOHANG) == id ? Self.code(status) : nil
    }

    private static func code(_ status: Int32) -> Int32 {
        status & 0x7F == 0 ? status >> 8 : -(status & 0x7F)
    }
}
