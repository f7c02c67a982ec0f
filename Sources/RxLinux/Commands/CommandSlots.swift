import RxEngine

/// Runs commands for several owners, a limited number at a time; the others wait.
///
/// An owner has at most half of the slots. Owners whose last command ran for more than ten seconds share half of them,
/// so that commands that hang leave slots to the others.
public final class CommandSlots: Sendable {
    private static let slow = Duration.seconds(10)

    private let queue: Locked<FairQueue<String, @Sendable () -> Void>>

    /// - Parameter limit: the most commands that run at once.
    public init(limit: Int = 64) {
        queue = Locked(FairQueue(limit: limit, limitPerKey: limit / 2, limitOfSlowKeys: limit / 2))
    }

    /// Runs `command` as ``Commands/run(_:onStart:)`` does, when a slot is free.
    ///
    /// - Parameters:
    ///   - command: the program.
    ///   - owner: the name of the owner.
    /// - Returns: an observable that runs the program once for each subscription.
    public func run(_ command: Command, for owner: String) -> Observable<CommandResult> {
        .create { [self] observer in
            let running = SerialDisposable()
            queue.withLock {
                $0.add(
                    { [self] in
                        if running.isDisposed { return ended(owner, hung: nil) }
                        let start = ContinuousClock.now
                        // A slot is free when all processes of the command have ended, also after a dispose.
                        running.disposable = Commands.run(command) { [self] in
                            { [self] in ended(owner, hung: ContinuousClock.now - start > Self.slow) }
                        }.subscribe(observer)
                    }, for: owner)
            }
            startNext()
            return running
        }
    }

    private func ended(_ owner: String, hung: Bool?) {
        queue.withLock { $0.ended(owner, hung: hung) }
        startNext()
    }

    private func startNext() {
        while let start = queue.withLock({ $0.next() }) { start() }
    }
}
