import Dispatch
import Glibc
import RxEngine

// Unchecked: used only on its queue.
/// One run of a command.
final class CommandRun: @unchecked Sendable {
    /// How far a run of a command has got, from its start to the end of its output.
    private enum Phase {
        case waiting
        case running
        /// The program and its descendants have received SIGTERM.
        case ending
        /// The program and its descendants have received SIGKILL.
        case killed
        /// The program has ended, but its output is still open in another process.
        case lingering
        case over
    }

    private let command: Command
    private let onResult: @Sendable (Result<CommandResult, CommandError>) -> Void
    private let onOver: @Sendable () -> Void
    private let queue = DispatchQueue(label: "rx.command")
    private let alarm: OneShotTimer
    private var phase = Phase.waiting
    private var process: ChildProcess?
    private var watch: ReadableDescriptor?
    private var stdout: CapturedOutput?
    private var stderr: CapturedOutput?
    private var started: SuspendingClock.Instant = .now
    private var ended: (status: ChildProcess.Status, at: SuspendingClock.Instant)?
    private var isTimedOut = false

    /// Creates a run; `start` starts the program.
    ///
    /// - Parameters:
    ///   - command: the program.
    ///   - onOver: called last, also after a cancellation, when no process of the run is left.
    ///   - onResult: called with the result, or with the error if the program could not be started.
    init(
        _ command: Command, onOver: @escaping @Sendable () -> Void,
        _ onResult: @escaping @Sendable (Result<CommandResult, CommandError>) -> Void
    ) {
        self.command = command
        self.onOver = onOver
        self.onResult = onResult
        alarm = OneShotTimer(on: queue)
    }

    func start() {
        queue.async { [self] in
            guard phase == .waiting else { return }
            do throws(SystemError) {
                try spawn()
            } catch {
                phase = .over
                onResult(.failure(CommandError(command.program, error)))
                onOver()
            }
        }
    }

    func cancel() {
        queue.async { [self] in
            switch phase {
            case .waiting:
                phase = .over
                onOver()
            case .running: end()
            case .lingering: finish()
            case .ending, .killed, .over: break
            }
        }
    }

    private func spawn() throws(SystemError) {
        // The input is complete before the program starts, so no descriptor and no writer for it are needed later.
        let input =
            command.input.isEmpty
            ? try Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC), "opening /dev/null").apart()
            : try Descriptor.memory("command-input", command.input).apart()
        let output = try Pipe()
        let error = try Pipe()
        started = .now
        let process = try ChildProcess(
            command, input: input.number, output: output.writing.number, error: error.writing.number)
        do {
            let watched = try process.watched().release()
            watch = ReadableDescriptor(watched, on: queue) { self.checkForEnd() }
        } catch {
            process.send(SIGKILL)
            process.reap()
            throw error
        }
        self.process = consume process
        phase = .running
        stdout = CapturedOutput(output.takeReading(), limit: command.outputLimit, on: queue) { self.checkForEnd() }
        stderr = CapturedOutput(error.takeReading(), limit: command.outputLimit, on: queue) { self.checkForEnd() }
        if let timeout = command.timeout { alarm.set(after: timeout) { self.alarmFired() } }
    }

    private func alarmFired() {
        switch phase {
        case .running:
            isTimedOut = true
            end()
        case .ending:
            phase = .killed
            process?.send(SIGKILL)
            checkForEnd()
        case .lingering:
            finish()
        case .waiting, .killed, .over: break
        }
    }

    /// Sends SIGTERM to the program and its descendants, and SIGKILL when the grace time has passed.
    private func end() {
        phase = .ending
        guard command.grace > .zero else { return alarmFired() }
        process?.send(SIGTERM)
        // A stopped process handles SIGTERM only after it continues.
        process?.send(SIGCONT)
        alarm.set(after: command.grace) { self.alarmFired() }
    }

    /// Finishes the run if the program and its output have ended.
    private func checkForEnd() {
        guard phase != .over else { return }
        if ended == nil, let status = process?.status() {
            ended = (status, .now)
            watch.take()?.dispose()
            if phase == .running {
                phase = .lingering
                alarm.set(after: command.grace) { self.alarmFired() }
            }
        }
        guard ended != nil else { return }
        if phase == .killed || stdout?.isAtEnd == true && stderr?.isAtEnd == true { finish() }
    }

    private func finish() {
        phase = .over
        alarm.cancel()
        // End all other writers of the pipes before the last read, so that it does not truncate their output.
        if let process = process.take() { process.reap() }
        stdout?.finish()
        stderr?.finish()
        let (status, at) = ended ?? (ChildProcess.Status(), .now)
        let result = CommandResult(
            exit: status.exit, signal: status.signal, isTimedOut: isTimedOut,
            stdout: stdout?.takeOutput() ?? .init(), stderr: stderr?.takeOutput() ?? .init(), duration: at - started)
        (stdout, stderr) = (nil, nil)
        onResult(.success(result))
        onOver()
    }
}
