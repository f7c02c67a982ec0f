import ChildProcesses
import Foundation
import TestSupport
import Testing

/// The built daemon with a configuration, and with a control socket.
final class RunningDaemon {
    static let program = URL(fileURLWithPath: Run.program).deletingLastPathComponent()
        .appendingPathComponent("rxwatchd").path

    private let folder = TemporaryDirectory()
    private let process: ChildProcess
    private var isStopped = false

    /// Starts it, and waits until it is ready.
    init(_ config: String) async throws {
        folder.write("rxwatchd.yaml", config)
        process = try ChildProcess(
            Self.program, ["--config", folder("rxwatchd.yaml")], environment: ["RUNTIME_DIRECTORY=\(folder.path)"],
            errors: .file(folder("errors")))
        try await eventually("it is ready, not \(folder.text("errors"))", within: .seconds(20)) {
            folder.text("errors").contains("ready after")
        }
    }

    deinit {
        if !isStopped { kill(process.id, SIGKILL) }
    }

    /// The path of its control socket.
    var control: String { folder("control") }

    func stop() {
        kill(process.id, SIGTERM)
        isStopped = true
        #expect(process.wait() == 0)
    }
}
