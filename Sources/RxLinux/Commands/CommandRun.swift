import Dispatch
import Glibc
import RxEngine

// Unchecked: touched on its queue alone.
/// One run of a command.
final class CommandRun: @unchecked Sendable {
    private enum Phase {
        case waiting
        case running
        /// Told to end.
        case ending
        /// Killed.
        case killed
        /// The program has ended, its output has not.
        case lingering
        case over
    }

    private let command: Command
    private let tell: @Sendable (Result<CommandResult, CommandError>) -> Void
    private let queue = DispatchQueue(label: "rx.command")
    private let alarm: Alarm
    private var phase = Phase.waiting
    private var process: ChildProcess?
    private var watch: ReadableDescriptor?
    private var stdout: CapturedOutput?
    private var stderr: CapturedOutput?
    private var started: ContinuousClock.Instant = .now
    private var ended: (status: ChildProcess.Status, at: ContinuousClock.Instant)?
    private var isTimedOut = false

    init(_ command: Command, _ tell: @escaping @Sendable (Result<CommandResult, CommandError>) -> Void) {
        self.command = command
        self.tell = tell
        alarm = Alarm(on: queue)
    }

    func start() {
        queue.async { [self] in
            guard phase == .waiting else { return }
            do throws(SystemError) {
                try spawn()
            } catch {
                phase = .over
                tell(.failure(CommandError(command.program, error)))
            }
        }
    }

    func cancel() {
        queue.async { [self] in
            switch phase {
            case .waiting: phase = .over
            case .running: end()
            case .lingering: finish()
            case .ending, .killed, .over: break
            }
        }
    }

    private func spawn() throws(SystemError) {
        // No descriptor is left over for who writes what the program reads: it is all there before it starts.
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
            watch = ReadableDescriptor(watched, on: queue) { self.look() }
        } catch {
            process.send(SIGKILL)
            process.reap()
            throw error
        }
        self.process = consume process
        phase = .running
        stdout = CapturedOutput(output.takeReading(), limit: command.outputLimit, on: queue) { self.look() }
        stderr = CapturedOutput(error.takeReading(), limit: command.outputLimit, on: queue) { self.look() }
        if let timeout = command.timeout { alarm.set(after: timeout) { self.ring() } }
    }

    private func ring() {
        switch phase {
        case .running:
            isTimedOut = true
            end()
        case .ending:
            phase = .killed
            process?.send(SIGKILL)
            look()
        case .lingering:
            finish()
        case .waiting, .killed, .over: break
        }
    }

    /// Tells the group to end, and kills it where that takes too long.
    private func end() {
        phase = .ending
        guard command.grace > .zero else { return ring() }
        process?.send(SIGTERM)
        // A stopped group cannot hear it.
        process?.send(SIGCONT)
        alarm.set(after: command.grace) { self.ring() }
    }

    /// The program has ended, or its output has.
    private func look() {
        guard phase != .over else { return }
        if ended == nil, let status = process?.status() {
            ended = (status, .now)
            watch.take()?.dispose()
            if phase == .running {
                phase = .lingering
                alarm.set(after: command.grace) { self.ring() }
            }
        }
        guard ended != nil else { return }
        if phase == .killed || stdout?.isAtEnd == true && stderr?.isAtEnd == true { finish() }
    }

    private func finish() {
        phase = .over
        alarm.cancel()
        // Whatever else writes to the pipes goes first, so that nothing of it is cut in the middle by chance.
        if let process = process.take() { process.reap() }
        stdout?.finish()
        stderr?.finish()
        let (status, at) = ended ?? (ChildProcess.Status(), .now)
        let result = CommandResult(
            exit: status.exit, signal: status.signal, isTimedOut: isTimedOut,
            stdout: stdout?.output ?? .init(), stderr: stderr?.output ?? .init(), duration: at - started)
        (stdout, stderr) = (nil, nil)
        tell(.success(result))
    }
}
