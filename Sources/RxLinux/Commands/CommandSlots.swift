import Dispatch
import RxEngine

/// Runs commands for several owners, a limited number at a time; the others wait.
///
/// An owner has at most half of the slots. A command that runs for more than ten seconds hangs: owners with such a
/// command, or whose last one was, share half of the slots. If more hang, their slots are given to others, so that up to
/// half as many commands again run.
public final class CommandSlots: Sendable {
    private struct Item: Sendable {
        let number: Int
        let owner: String
        /// Starts the command; returns `false` if it is no longer needed.
        let start: @Sendable () -> Bool
    }

    private struct State {
        var queue: FairQueue<String, Item>
        /// Whether each running command hangs.
        var running: [Int: Bool] = [:]
        var lastNumber = 0

        mutating func next() -> Item? {
            let item = queue.next()
            if let item { running[item.number] = false }
            return item
        }

        mutating func ended(_ number: Int, _ owner: String) {
            let hung = running.removeValue(forKey: number) == true
            queue.ended(owner, hung: hung, wasHanging: hung)
        }
    }

    private let state: Locked<State>
    private let hangsAfter: Duration

    /// - Parameters:
    ///   - limit: the most commands that run at once, not counting some of those that hang.
    ///   - hangsAfter: a command that runs longer hangs.
    public init(limit: Int = 64, hangsAfter: Duration = .seconds(10)) {
        state = Locked(
            State(
                queue: FairQueue(
                    limit: limit, hardLimit: limit + limit / 2, limitPerKey: limit / 2, limitOfSlowKeys: limit / 2)))
        self.hangsAfter = hangsAfter
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
            let waiting = Locked<AnyObserver<CommandResult>?>(observer)
            state.withLock { state in
                state.lastNumber += 1
                let number = state.lastNumber
                let item = Item(number: number, owner: owner) { [self] in
                    guard let observer = waiting.withLock({ $0.take() }) else { return false }
                    // A slot is free when all processes of the command have ended, also after a dispose.
                    running.disposable = Commands.run(command) { [self] in
                        { [self] in ended(number, owner) }
                    }.subscribe(observer)
                    return true
                }
                state.queue.add(item, for: owner)
            }
            startNext()
            // A command that waits until its turn must not retain its observer, and with it an event.
            let abandon = Disposables.create {
                let abandoned = waiting.withLock { $0.take() }
                withExtendedLifetime(abandoned) {}
            }
            return Disposables.create(running, abandon)
        }
    }

    private func ended(_ number: Int, _ owner: String) {
        state.withLock { $0.ended(number, owner) }
        startNext()
    }

    private func startNext() {
        while let item = state.withLock({ $0.next() }) {
            if item.start() {
                watch(item.number, item.owner)
            } else {
                state.withLock { $0.ended(item.number, item.owner) }
            }
        }
    }

    /// Gives the slot of a command to another one if it hangs.
    private func watch(_ number: Int, _ owner: String) {
        DispatchQueue.global().asyncAfter(deadline: .now() + hangsAfter.interval) { [weak self] in
            guard let self else { return }
            let hangs = state.withLock { state -> Bool in
                guard state.running[number] == false else { return false }
                state.running[number] = true
                state.queue.hangs(owner)
                return true
            }
            if hangs { startNext() }
        }
    }
}
