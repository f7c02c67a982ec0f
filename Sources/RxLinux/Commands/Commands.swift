import Dispatch
import RxEngine

/// Programs, run and watched without a shell and without `SIGCHLD`.
///
/// Each runs in a process group of its own, with all signals unblocked and at their defaults, and with no descriptor of
/// this process but its three standard streams. The group ends with the program: what it left running gets
/// ``Command/grace`` to close the program's output, and is then killed. Work that is to outlive a command belongs in a
/// unit of its own.
public enum Commands {
    /// An observable that starts `command` when it is subscribed to, and tells what became of it.
    ///
    ///     run(sleep 3)        ---result|
    ///
    /// However the program ends, the result is an element. Errors are ``CommandError``: it could not be started.
    /// Disposing ends it as its timeout does: with `SIGTERM`, after the grace time with `SIGKILL` (at once where that
    /// is zero). It is always reaped.
    ///
    /// The result is told on a queue of the run's own.
    public static func run(_ command: Command) -> Observable<CommandResult> {
        .create { observer in
            let run = CommandRun(command) { result in
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

    /// An observable that runs `command` at each tick of `schedule`, but for those that find it running, and tells what
    /// became of each run on `scheduler`.
    ///
    /// A program that cannot be started is a failure that is told, and does not end the sequence. It never ends.
    public static func poll(
        _ command: Command, _ schedule: TickSchedule, scheduler: any SchedulerType
    ) -> Observable<Result<CommandResult, CommandError>> {
        Observable.ticks(schedule, scheduler: scheduler)
            .flatMapFirst { _ in outcome(of: command) }
            .observe(on: scheduler)
    }

    /// What becomes of `command`, run once: that it cannot be started is told, too, and is no failure of the sequence.
    public static func outcome(of command: Command) -> Observable<Result<CommandResult, CommandError>> {
        run(command).map { .success($0) }.catch { error in
            guard let error = error as? CommandError else { return .error(error) }
            return .just(.failure(error))
        }
    }
}
