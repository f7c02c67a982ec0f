import Synchronization

extension ObservableType {
    /// Prints each subscription, event and disposal of the sequence.
    ///
    ///     source      --1--2--|
    ///     debug()     --1--2--|       prints a line for each event
    ///
    /// The lines of `interval(…).debug("status")`:
    ///
    ///     2026-03-01 12:00:00.000: status -> subscribed
    ///     2026-03-01 12:00:01.000: status -> Event next(0)
    ///     2026-03-01 12:00:01.500: status -> isDisposed
    ///
    /// Prints on the thread of the event, before the event is delivered and before the source is disposed. Completes
    /// and fails with the source. ``Hooks/debugFormat`` formats the lines, and ``Hooks/debugOutput`` receives them.
    ///
    /// - Parameters:
    ///   - identifier: the name of the sequence in the lines (default: the place in the program, `file:line
    ///     (function)`).
    ///   - trimOutput: whether to shorten an event of more than 40 characters, in the middle.
    ///   - file: part of the default identifier.
    ///   - line: part of the default identifier.
    ///   - function: part of the default identifier.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> Observable<Element> {
        let location = "\(file.split(separator: "/").last ?? "?"):\(line) (\(function))"
        let source = asObservable()
        return .source(.debug) { sink in
            let debugRun = DebugRun(identifier ?? location, trims: trimOutput, LiveSubscription(into: sink))
            debugRun.print(.subscribed)
            return debugRun.attaching(source.run(DebugSink(to: sink, debugRun)))
        }
    }
}

private final class DebugSink<Element>: OperatorSink<Element, Element> {
    private let debugRun: DebugRun

    init(to downstream: Sink<Element>, _ debugRun: DebugRun) {
        self.debugRun = debugRun
        super.init(.debug, to: downstream)
    }

    override func next(_ element: Element) {
        debugRun.print(Event.next(element))
        if live.isActive { downstream.next(element) }
    }

    override func error(_ error: any Error) {
        debugRun.print(Event<Element>.error(error))
        if live.isActive { downstream.error(error) }
        debugRun.dispose()
    }

    override func completed() {
        debugRun.print(Event<Element>.completed)
        if live.isActive { downstream.completed() }
        debugRun.dispose()
    }
}

/// Prints the lines of one run, and disposes its source.
private final class DebugRun: Disposable {
    private let identifier: String
    private let trims: Bool
    private let run: LiveSubscription
    private let isOver = Atomic(false)

    init(_ identifier: String, trims: Bool, _ run: LiveSubscription) {
        self.run = run
        self.identifier = identifier
        self.trims = trims
    }

    func attaching(_ source: any Disposable) -> DebugRun {
        run.attach(source)
        return self
    }

    func print<Element>(_ event: Event<Element>) {
        let text = "\(event)"
        let half = 20
        print(.event(trims && text.count > 2 * half ? "\(text.prefix(half))...\(text.suffix(half))" : text))
    }

    func print(_ report: DebugFormat.Report) {
        Hooks.debugOutput(Hooks.debugFormat.line(identifier, report))
    }

    func dispose() {
        if !isOver.exchange(true, ordering: .relaxed) { print(.disposed) }
        run.dispose()
    }
}
