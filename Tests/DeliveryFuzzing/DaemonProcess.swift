import Foundation

/// A process of the daemon.
final class DaemonProcess {
    private let process: pid_t
    private let records: String
    private var status: Int32?

    /// The program lies beside the one that runs.
    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("rxwatchd").path

    /// - Parameter records: the file that its records are appended to.
    init(config: String, state: String, records: String) throws {
        self.records = records
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, records, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // Whoever reads a pipe of another test would wait for this process, too.
        for other in (STDERR_FILENO + 1)..<256 { posix_spawn_file_actions_addclose(&actions, other) }
        // The threads that tests run on block signals, which a child would inherit.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var words = Self.copies([Self.program, "--config", config])
        var environment = Self.copies(["PATH=/usr/bin:/bin", "TZ=UTC", "STATE_DIRECTORY=\(state)"])
        defer { for text in words + environment { free(text) } }
        var process = pid_t()
        let status = posix_spawn(&process, Self.program, &actions, &attributes, &words, &environment)
        guard status == 0 else {
            throw Problem("\(Self.program) cannot be started: \(String(cString: strerror(status)))")
        }
        self.process = process
    }

    deinit {
        guard status == nil else { return }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    }

    func send(_ signal: Int32) {
        if status == nil { kill(process, signal) }
    }

    /// How many of its records have this text.
    func count(of text: String) -> Int {
        let all = (try? String(contentsOfFile: records, encoding: .utf8)) ?? ""
        return all.components(separatedBy: text).count - 1
    }

    /// Waits until so many of its records have this text.
    func said(_ text: String, times: Int = 1) throws {
        try Self.wait("'\(text)' is recorded") {
            if hasEnded { throw Problem("the process ended with \(status ?? 0) before '\(text)' was recorded") }
            return count(of: text) >= times
        }
    }

    /// Waits until it has ended.
    ///
    /// - Returns: its exit code, or the number of the signal that ended it below zero.
    func end() throws -> Int32 {
        try Self.wait("the process ends") {
            hasEnded
        }
        return status ?? 0
    }

    private var hasEnded: Bool {
        if status != nil { return true }
        var raw: Int32 = 0
        guard waitpid(process, &raw, WNOHANG) == process else { return false }
        status = raw & 0x7F == 0 ? raw >> 8 : -(raw & 0x7F)
        return true
    }

    /// Waits until no process has this state directory: the commands of a daemon that was killed have ended.
    static func waitForCommands(of state: String) throws {
        let mark = Data("STATE_DIRECTORY=\(state)".utf8)
        try wait("the commands end") {
            let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
            return !processes.contains { process in
                FileManager.default.contents(atPath: "/proc/\(process)/environ")?.range(of: mark) != nil
            }
        }
    }

    private static func wait(_ what: String, until isTrue: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(60)
        while try !isTrue() {
            if ContinuousClock.now > end { throw Problem("not within 60 s: \(what)") }
            pause(2)
        }
    }
}

/// Something that should not be.
struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Lets time pass, in milliseconds.
func pause(_ time: Int) {
    poll(nil, 0, Int32(time))
}
