import Dispatch
import RxEngine

/// Runs commands for several owners, a limited number at a time; the others wait.
///
/// An owner has at most half of the slots. A command that runs for more than ten seconds hangs: owners with such a
/// command, or whose last one was, share half of the slots. If more hang, their slots are given to others, so that up to
/// half as many commands again run.
public final class CommandLimiter: Sendable {
    /// Starts a command in its slot; returns `false` if it is no longer needed.
    private typealias Start = @Sendable (QueueSlot<String>) -> Bool

    /// Calls a closure after a time.
    typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    private let queue: Locked<FairQueue<String, Start>>
    private let hangsAfter: Duration
    private let timer: Timer

    /// Creates slots for commands.
    ///
    /// - Parameters:
    ///   - limit: the most commands that run at once, not counting some of those that hang.
    ///   - hangsAfter: a command that runs longer hangs.
    public convenience init(limit: Int = 64, hangsAfter: Duration = .seconds(10)) {
        self.init(limit: limit, hangsAfter: hangsAfter) { time, action in
            DispatchQueue.global().asyncAfter(deadline: .now() + time.interval, execute: action)
        }
    }

    /// Creates slots that measure the time of commands with a timer.
    init(limit: Int, hangsAfter: Duration, timer: @escaping Timer) {
        self.timer = timer
        queue = Locked(
            FairQueue(limit: limit, hardLimit: limit + limit / 2, limitPerKey: limit / 2, limitOfSlowKeys: limit / 2))
        self.hangsAfter = hangsAfter
    }

    /// Runs `command` as ``CommandRunner/run(_:onStart:)`` does, when a slot is free.
    ///
    /// - Parameters:
    ///   - command: the program.
    ///   - owner: the name of the owner.
    /// - Returns: an observable that runs the program once for each subscription.
    public func run(_ command: Command, for owner: String) -> Observable<CommandResult> {
        .create { [self] observer in
            let running = SerialDisposable()
            let waiting = Locked<AnyObserver<CommandResult>?>(observer)
            let start: Start = { [self] slot in
                guard let observer = waiting.withLock({ $0.take() }) else { return false }
                // A slot is free when all processes of the command have ended, also after a dispose.
                running.disposable = CommandRunner.run(command) { [self] in
                    { [self] in ended(slot) }
                }.subscribe(observer)
                return true
            }
            queue.withLock { $0.add(start, for: owner) }
            startNext()
            // A command that waits until its turn must not retain its observer, and with it an event.
            let abandon = Disposables.create {
                let abandoned = waiting.withLock { $0.take() }
                withExtendedLifetime(abandoned) {}
            }
            return Disposables.create(running, abandon)
        }
    }

    private func ended(_ slot: QueueSlot<String>) {
        queue.withLock { $0.ended(slot, hung: $0.isHanging(slot)) }
        startNext()
    }

    private func startNext() {
        while let (start, slot) = queue.withLock({ $0.next() }) {
            if start(slot) {
                watch(slot)
            } else {
                queue.withLock { $0.ended(slot, hung: nil) }
            }
        }
    }

    /// Gives the slot of a command to another one if it hangs.
    private func watch(_ slot: QueueSlot<String>) {
        timer(hangsAfter) { [weak self] in
            guard let self else { return }
            if queue.withLock({ $0.hangs(slot) }) { startNext() }
        }
    }
}
