import Foundation
import TestSupport
import Testing

/// A run of the built program as a process of its own, and what it says.
final class Child: Sendable {
    private let process: pid_t
    private let output = Box("")
    private let errors = Box("")
    /// `F_SETPIPE_SZ`, which Glibc does not show.
    private static let setPipeSize: Int32 = 1031
    /// How many of its streams are at their end.
    private let ended = Box(0)
    private let status = Box<Int32?>(nil)
    /// The end of its standard output that stays unread.
    private let unread: Int32?

    /// What becomes of its standard streams.
    enum Streams {
        /// Both are read.
        case read
        /// Both are read, and it has no standard input.
        case readWithoutInput
        /// Nobody reads standard output, until ``readRest()``: it is full with 4096 bytes.
        case outputUnread
        /// Whoever read standard output has gone.
        case outputGone
        /// It is started without any.
        case closed
    }

    init(_ arguments: String..., environment: [String] = [], streams: Streams = .read) throws {
        let child = try #require(Self.spawn(arguments, environment, streams), "\(Self.program) runs")
        process = child.process
        unread = streams == .outputUnread ? child.output : nil
        if let unread { _ = fcntl(unread, Self.setPipeSize, 4096) }
        if streams == .read || streams == .readWithoutInput {
            read(child.output, into: output)
        } else {
            if streams != .outputUnread { close(child.output) }
            ended.update { $0 += 1 }
        }
        read(child.errors, into: errors)
        Thread.detachNewThread { [status] in
            var raw: Int32 = 0
            waitpid(child.process, &raw, 0)
            let code = raw & 0x7F == 0 ? raw >> 8 : -(raw & 0x7F)
            status.update { $0 = code }
        }
    }

    deinit {
        if status.value == nil { kill(process, SIGKILL) }
        if let unread { close(unread) }
    }

    /// What its open descriptors lead to, by number.
    var descriptors: [Int: String] {
        let folder = "/proc/\(process)/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.reduce(into: [:]) { descriptors, name in
            guard let number = Int(name) else { return }
            descriptors[number] = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
        }
    }

    /// What it said on standard output so far, line by line.
    var outputLines: [String] { lines(output) }
    /// What it said on standard error so far, line by line.
    var errorLines: [String] { lines(errors) }

    /// Reads the standard output that has stayed unread, after the end.
    func readRest() {
        guard let unread else { return }
        let data = FileHandle(fileDescriptor: unread, closeOnDealloc: false).readDataToEndOfFile()
        output.update { $0 += String(decoding: data, as: UTF8.self) }
    }

    func send(_ signal: Int32) {
        kill(process, signal)
    }

    /// Lets it have so many descriptors.
    func allow(descriptors: Int) throws {
        let tool = try Process.run(
            URL(fileURLWithPath: "/usr/bin/prlimit"), arguments: ["--pid", "\(process)", "--nofile=\(descriptors):"])
        tool.waitUntilExit()
        try #require(tool.terminationStatus == 0)
    }

    /// Waits until it has said `text` on standard error, in so many lines.
    func said(_ text: String, times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let problem = "'\(text)' is not said"
        try await eventually("\(problem) after:\n\(lastLines)", within: .seconds(20), sourceLocation: sourceLocation) {
            errorLines.count { $0.contains(text) } >= times
        }
    }

    /// Waits until it has ended and everything it said is there.
    ///
    /// - Returns: its exit code; the signal's number below zero where one ended it.
    func exitCode(sourceLocation: SourceLocation = #_sourceLocation) async throws -> Int32 {
        try await eventually("it ends, after:\n\(lastLines)", within: .seconds(20), sourceLocation: sourceLocation) {
            status.value != nil && ended.value == 2
        }
        return try #require(status.value, sourceLocation: sourceLocation)
    }

    /// The program lies beside the bundle that the tests run from.
    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("rxwatchd").path

    private var lastLines: String {
        errorLines.suffix(10).joined(separator: "\n")
    }

    private func lines(_ text: Box<String>) -> [String] {
        text.value.split(separator: "\n").map(String.init)
    }

    private func read(_ descriptor: Int32, into text: Box<String>) {
        Thread.detachNewThread { [ended] in
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            while case let data = handle.availableData, !data.isEmpty {
                text.update { $0 += String(decoding: data, as: UTF8.self) }
            }
            ended.update { $0 += 1 }
        }
    }

    /// Starts the program.
    ///
    /// - Returns: its process, and where to read what it says.
    private static func spawn(
        _ arguments: [String], _ environment: [String], _ streams: Streams
    ) -> (process: pid_t, output: Int32, errors: Int32)? {
        let (output, errors) = (pipeEnds(), pipeEnds())
        defer { for end in [output.writing, errors.writing] { close(end) } }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, output.writing, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, errors.writing, STDERR_FILENO)
        // Whoever reads a pipe of another test would wait for this child, too.
        for other in (streams == .closed ? STDIN_FILENO : STDERR_FILENO + 1)..<256 {
            posix_spawn_file_actions_addclose(&actions, other)
        }
        if streams == .readWithoutInput { posix_spawn_file_actions_addclose(&actions, STDIN_FILENO) }

        // The threads that tests run on block signals, which a child would inherit.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var words = copies([program] + arguments)
        var environment = copies(["PATH=/usr/bin:/bin", "TZ=UTC"] + environment)
        defer { for text in words + environment { free(text) } }
        var process = pid_t()
        let status = posix_spawn(&process, program, &actions, &attributes, &words, &environment)
        return status == 0 ? (process, output.reading, errors.reading) : nil
    }

    /// The texts as C takes them, to be freed.
    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) as UnsafeMutablePointer<CChar>? } + [nil]
    }

    private static func pipeEnds() -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        pipe(&ends)
        return (ends[0], ends[1])
    }
}

/// A config in a file that goes away with the object.
final class ConfigFile: Sendable {
    let path: String

    init(_ text: String) throws {
        path = "/tmp/rxwatchd-\(UUID().uuidString).yaml"
        try write(text)
    }

    func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
