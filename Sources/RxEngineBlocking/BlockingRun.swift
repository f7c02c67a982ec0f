import Dispatch
import RxEngine

/// The elements that a waiting thread is after.
enum Wanted {
    case all
    case latest
    case first(Int)
}

// Unchecked: what changes is behind the lock.
/// The last link of a run that a thread waits for.
final class BlockingRun<Element>: Sink<Element>, @unchecked Sendable {
    private let lock = Lock()
    private var state: BlockingState<Element>
    private let over = DispatchSemaphore(value: 0)
    /// Where the run is waited for on the main thread.
    private let mainThread: MainThread?

    init(_ wanted: Wanted) {
        state = BlockingState(wanted)
        mainThread = MainThread.isCurrent ? MainThread(until: over) : nil
        super.init(LiveSubscription())
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        let change = lock.locked { state.take(element) }
        if change.isEnough { end() }
    }

    override func error(_ error: any Error) {
        end(error)
    }

    override func completed() {
        end()
    }

    /// Ends the run, unless it has ended. The source is freed before the waiting thread is woken.
    func end(_ error: (any Error)? = nil) {
        guard live.end() else { return }
        lock.locked { state.error = error }
        live.dispose()
        over.signal()
        mainThread?.wake()
    }

    /// Starts a run of `source`: on the calling thread, unless that is on a trampoline that will not turn while the
    /// thread waits, and the source needs one.
    func start(_ source: Observable<Element>) {
        let start: @Sendable () -> any Disposable = { [self] in
            live.attach(source.run(self))
            return live
        }
        if !source.startsOnTrampoline {
            _ = start()
        } else if CurrentThreadScheduler.isScheduleRequired {
            _ = CurrentThreadScheduler.instance.schedule((), action: start)
        } else {
            DispatchQueue(label: "rx.blocking").async {
                _ = CurrentThreadScheduler.instance.schedule((), action: start)
            }
        }
    }

    /// Sleeps until the run has ended.
    func wait() -> (elements: [Element], error: (any Error)?) {
        if let mainThread {
            mainThread.sleep()
        } else {
            over.wait()
        }
        let last = lock.locked { state }
        return (last.elements, last.error)
    }
}

// Unchecked: reached only under the run's lock.
/// What a waiting thread will find.
private struct BlockingState<Element>: @unchecked Sendable {
    private let wanted: Wanted
    private(set) var elements: [Element] = []
    var error: (any Error)?

    init(_ wanted: Wanted) {
        self.wanted = wanted
    }

    mutating func take(_ element: Element) -> Change {
        switch wanted {
        case .all:
            elements.append(element)
            return Change()
        case .latest:
            defer { elements = [element] }
            return Change(replaced: elements)
        case .first(let count):
            elements.append(element)
            return Change(isEnough: elements.count == count)
        }
    }

    // Unchecked: handed to the thread that brought the element.
    /// What an element has changed.
    struct Change: @unchecked Sendable {
        /// What is kept no longer, so that it is let go of outside the lock.
        var replaced: [Element] = []
        /// Whether the waiting thread needs no more.
        var isEnough = false
    }
}
