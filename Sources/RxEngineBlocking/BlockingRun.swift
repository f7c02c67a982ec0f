import Dispatch
import RxEngine

/// The elements that the waiting thread needs.
enum RequestedElements {
    case all
    case latest
    case first(Int)
}

// Unchecked: the lock guards the mutable state.
/// The boundary sink of a run that a thread waits for.
final class BlockingRun<Element>: Sink<Element>, @unchecked Sendable {
    private let lock = Lock()
    private var state: BlockingState<Element>
    private let ended = DispatchSemaphore(value: 0)
    /// Set if the main thread waits for the run.
    private let mainThread: MainThread?

    init(_ requested: RequestedElements) {
        state = BlockingState(requested)
        mainThread = MainThread.isCurrent ? MainThread(until: ended) : nil
        super.init(LiveSubscription())
    }

    override func next(_ element: Element) {
        guard live.isActive else { return }
        let change = lock.locked { state.receive(element) }
        if change.isSatisfied { end() }
    }

    override func error(_ error: any Error) {
        end(error)
    }

    override func completed() {
        end()
    }

    /// Ends the run, unless it has ended. Disposes the source before it wakes the waiting thread.
    func end(_ error: (any Error)? = nil) {
        guard live.end() else { return }
        lock.locked { state.error = error }
        live.dispose()
        ended.signal()
        mainThread?.wake()
    }

    /// Starts a run of `source` on the calling thread. If the source needs a trampoline and the thread is inside one,
    /// which would not run any actions while the thread waits, the run starts on another thread.
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
            ended.wait()
        }
        let last = lock.locked { state }
        return (last.elements, last.error)
    }
}

// Unchecked: accessed only under the run's lock.
/// The result of the run so far.
private struct BlockingState<Element>: @unchecked Sendable {
    private let requested: RequestedElements
    private(set) var elements: [Element] = []
    var error: (any Error)?

    init(_ requested: RequestedElements) {
        self.requested = requested
    }

    mutating func receive(_ element: Element) -> Change {
        switch requested {
        case .all:
            elements.append(element)
            return Change()
        case .latest:
            defer { elements = [element] }
            return Change(replaced: elements)
        case .first(let count):
            elements.append(element)
            return Change(isSatisfied: elements.count == count)
        }
    }

    // Unchecked: returned to the thread that emitted the element.
    /// The effect of an element on the state.
    struct Change: @unchecked Sendable {
        /// Elements that are no longer needed, to be released without the lock.
        var replaced: [Element] = []
        /// Whether the waiting thread has all the elements that it needs.
        var isSatisfied = false
    }
}
