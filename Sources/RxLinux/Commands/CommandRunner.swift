import CLinux
import Dispatch
import RxEngine

/// Runs programs as observables, without a shell and without `SIGCHLD`.
///
/// Each program runs in a session and a process group of its own, with all signals unblocked and at their defaults, and
/// with no descriptor of this process except its three standard streams.
///
/// The processes that a program has started end with it: they get ``Command/grace`` to close the program's output, and
/// are then killed, also if they have left its group or session. They are found by their parents, their session and the
/// variable `RX_RUN` in their environment. If this process adopts orphans (``adoptOrphans()``), the search misses none.
/// Work that is to outlive a command belongs in a unit of its own.
public enum CommandRunner {
    /// Starts `command` on subscription and emits its result.
    ///
    ///     run(sleep 3)        ---result|
    ///
    /// The result is an element however the program ends. The sequence fails with a ``CommandError`` if the program
    /// cannot be started. Disposing ends the program as its timeout does: with `SIGTERM`, and after the grace time with
    /// `SIGKILL` (at once if the grace time is zero). The process is always reaped.
    ///
    /// Each run emits on a queue of its own.
    ///
    /// - Parameters:
    ///   - command: the program.
    ///   - onStart: called when a run starts; the closure that it returns is called when no process of that run is
    ///     left, also after a dispose.
    /// - Returns: an observable that runs the program once for each subscription.
    public static func run(
        _ command: Command, onStart: @escaping @Sendable () -> @Sendable () -> Void = { {} }
    ) -> Observable<CommandResult> {
        .create { observer in
            let run = CommandRun(command, onOver: onStart()) { result in
                switch result {
                case .success(let result):
                    observer.onNext(result)
                    observer.onCompleted()
                case .failure(let error): observer.onError(error)
                }
            }
            run.start()
            return Disposables.create { run.cancel() }
        }
    }

    /// Makes this process the parent of its orphaned descendants, so that no process of a command escapes.
    ///
    /// Use it in a process whose children are commands only. An orphan in a session of its own that another child has
    /// left is killed when the next command ends.
    ///
    /// - Throws: the error of the system call.
    public static func adoptOrphans() throws(SystemError) {
        if rx_adopt_orphans() != 0 { throw SystemError.last("adopting orphaned processes") }
    }

    /// Whether a command is running, or is being ended.
    public static var areRunning: Bool { !CommandRunTable.shared.isEmpty }

    /// Runs `command` at each tick of `schedule` and emits each outcome on `scheduler`.
    ///
    /// A tick during a run is skipped. A program that cannot be started yields an element, `.failure`, and not an error
    /// of the sequence. The sequence never ends.
    public static func poll(
        _ command: Command, _ schedule: TickSchedule, scheduler: any SchedulerType
    ) -> Observable<Result<CommandResult, CommandError>> {
        poll(run(command), schedule, scheduler: scheduler)
    }

    /// Runs a command at each tick of `schedule`, as `poll(_:_:scheduler:)` does with a command.
    ///
    /// - Parameters:
    ///   - run: runs the command once for each subscription.
    ///   - schedule: the ticks.
    ///   - scheduler: the scheduler of the ticks and outcomes.
    ///   - fires: emits on the scheduler when the command is to run at once; until the outcome of a run is emitted, it is
    ///     the only one.
    ///   - onWait: called with the time until the next tick.
    public static func poll(
        _ run: Observable<CommandResult>, _ schedule: TickSchedule, scheduler: any SchedulerType,
        fires: Observable<Void> = .never(), onWait: @escaping @Sendable (Duration) -> Void = { _ in }
    ) -> Observable<Result<CommandResult, CommandError>> {
        Observable.ticks(schedule, scheduler: scheduler, fires: fires, onWait: onWait)
            // A run is over with its outcome: whoever has received that may fire the next one.
            .flatMapFirst { _ in outcome(of: run).observe(on: scheduler).take(1) }
    }

    /// Runs `command` once and emits its outcome, also if the program cannot be started, and completes.
    public static func outcome(of command: Command) -> Observable<Result<CommandResult, CommandError>> {
        outcome(of: run(command))
    }

    /// Emits the outcome of a run, also if the program cannot be started, and completes.
    public static func outcome(
        of run: Observable<CommandResult>
    ) -> Observable<Result<CommandResult, CommandError>> {
        run.map { .success($0) }.catch { error in
            guard let error = error as? CommandError else { return .error(error) }
            return .just(.failure(error))
        }
    }
}
