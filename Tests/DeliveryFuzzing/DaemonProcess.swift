import ChildProcesses
import Foundation

/// A process of the daemon.
final class DaemonProcess {
    private let process: ChildProcess
    private let records: String
    private var status: Int32?

    /// The program is beside the one that runs.
    private static let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("rxwatchd").path

    /// - Parameter records: the file to which its records are appended.
    init(config: String, state: String, records: String) throws {
        self.records = records
        process = try ChildProcess(
            Self.program, ["--config", config], environment: ["STATE_DIRECTORY=\(state)"], input: .null,
            errors: .file(records))
    }

    deinit {
        guard status == nil else { return }
        kill(process.id, SIGKILL)
        _ = process.wait()
    }

    func send(_ signal: Int32) {
        if status == nil { kill(process.id, signal) }
    }

    /// How many of its records contain this text.
    func count(of text: String) -> Int {
        let all = (try? String(contentsOfFile: records, encoding: .utf8)) ?? ""
        return all.components(separatedBy: text).count - 1
    }

    /// Waits until this number of its records contain this text.
    func said(_ text: String, times: Int = 1) throws {
        try Self.wait("'\(text)' is recorded") {
            if hasEnded { throw Problem("the process ended with \(status ?? 0) before '\(text)' was recorded") }
            return count(of: text) >= times
        }
    }

    /// Waits until the process has ended.
    ///
    /// - Returns: its exit code, or the negative number of the signal that ended it.
    func end() throws -> Int32 {
        try Self.wait("the process ends") {
            hasEnded
        }
        return status ?? 0
    }

    private var hasEnded: Bool {
        status = status ?? process.codeIfEnded()
        return status != nil
    }

    /// Waits until no process uses this state directory: the commands of a killed daemon have ended.
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

/// A failure of the trial itself.
struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Sleeps for a number of milliseconds.
func pause(_ time: Int) {
    poll(nil, 0, Int32(time))
}
