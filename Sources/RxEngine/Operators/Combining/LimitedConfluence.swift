import Synchronization

/// A confluence that runs no more than so many sources at once; the others wait in line.
///
/// Sources that end inside their own start are worked off in a loop, however many they are.
@usableFromInline
final class LimitedConfluence<Element>: Confluence<Element> {
    private let limit: Int
    private let lock = Lock()
    @exclusivity(unchecked) private var running = 0
    @exclusivity(unchecked) private var waiting = WaitingLine()
    /// Whether the source of sources has ended.
    @exclusivity(unchecked) private var isComplete = false

    @usableFromInline
    init(_ operation: Operator, limit: Int, into downstream: Sink<Element>) {
        self.limit = limit
        super.init(operation, into: downstream)
    }

    override func take(_ source: Observable<Element>) {
        let isFree = lock.locked {
            if running < limit {
                running += 1
                return true
            }
            waiting.append(source)
            return false
        }
        if isFree { runAll(from: source) }
    }

    /// The source of sources has ended: those it told have sinks of another kind.
    override func completed(_ key: RunningSources.Key) {
        let isOver = lock.locked {
            isComplete = true
            return running == 0
        }
        if isOver { stop(with: .completed) } else { sources.remove(key) }
    }

    /// Runs a source, and those in line after it for as long as each ends inside its start.
    fileprivate func runAll(from first: Observable<Element>) {
        var next: Observable<Element>? = first
        while isWanted, let source = next {
            if tellOnly(source) {
                next = self.next(after: nil)
            } else {
                guard let sink = start(source), sink.hasEndedInsideItsStart else { return }
                next = sink.successor
            }
        }
    }

    /// Starts a source.
    private func start(_ source: Observable<Element>) -> LimitedSink<Element>? {
        let live = LiveSubscription()
        guard let key = sources.add(live) else { return nil }
        let sink = LimitedSink(into: self, key, live)
        source.start(sink, live)
        return sink
    }

    /// A source has ended: it is freed before another one starts, and after the end where it was the last.
    ///
    /// - Returns: the one to run in its place.
    fileprivate func next(after sink: LimitedSink<Element>?) -> Observable<Element>? {
        let (next, isOver) = lock.locked { () -> (AnyObject?, Bool) in
            if let next = waiting.next() { return (next, false) }
            running -= 1
            return (nil, isComplete && running == 0)
        }
        if isOver { stop(with: .completed) } else { sink?.free() }
        return next.map { unsafeDowncast($0, to: Observable<Element>.self) }
    }
}

/// The end of one source's chain.
private final class LimitedSink<Element>: Sink<Element> {
    private let confluence: LimitedConfluence<Element>
    private let key: RunningSources.Key
    /// How many of two things have happened: the source's end, and the return of its start.
    private let steps = Atomic(0)
    /// What is to be run when both have.
    @exclusivity(unchecked) private(set) var successor: Observable<Element>?

    init(into confluence: LimitedConfluence<Element>, _ key: RunningSources.Key, _ live: LiveSubscription) {
        self.confluence = confluence
        self.key = key
        super.init(live)
    }

    /// Whoever asks goes on with what follows the source if the answer is yes; otherwise its end will.
    var hasEndedInsideItsStart: Bool { steps.add(1, ordering: .acquiringAndReleasing).oldValue != 0 }

    override func next(_ element: Element) {
        if live.isActive { confluence.next(element) }
    }

    override func error(_ error: any Error) {
        guard live.end() else { return }
        confluence.stop(with: .error(error))
        live.dispose()
    }

    override func completed() {
        guard live.end() else { return }
        successor = confluence.next(after: self)
        let hasStarted = steps.add(1, ordering: .acquiringAndReleasing).oldValue != 0
        if hasStarted, let successor { confluence.runAll(from: successor) }
    }

    /// Frees the source, which has ended.
    func free() {
        confluence.sources.remove(key)
        live.dispose()
    }
}
