import Synchronization

extension ObservableType {
    /// Prints what happens to the sequence: the subscription, each event, and the disposal, before the source is freed.
    ///
    ///     interval(…).debug("my probe")
    ///
    ///     2026-03-01 12:00:00.000: my probe -> subscribed
    ///     2026-03-01 12:00:01.000: my probe -> Event next(0)
    ///     2026-03-01 12:00:01.500: my probe -> isDisposed
    ///
    /// ``Hooks/debugFormat`` says how a line looks, ``Hooks/debugOutput`` where it goes.
    ///
    /// - Parameters:
    ///   - identifier: names the sequence in print; without one, its place in the program does: `file:line (function)`.
    ///   - trimOutput: whether an event of more than 40 characters loses those in the middle.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false, file: String = #file, line: UInt = #line,
        function: String = #function
    ) -> Observable<Element> {
        let place = "\(file.split(separator: "/").last ?? "?"):\(line) (\(function))"
        let source = asObservable()
        return .source(.debug) { sink in
            let probe = Probe(identifier ?? place, trims: trimOutput)
            probe.print(.subscribed)
            return probe.watch(source.run(DebugSink(to: sink, probe)))
        }
    }
}

private final class DebugSink<Element>: OperatorSink<Element, Element> {
    private let probe: Probe

    init(to downstream: Sink<Element>, _ probe: Probe) {
        self.probe = probe
        super.init(.debug, to: downstream)
    }

    override func next(_ element: Element) {
        probe.print(Event.next(element))
        if live.isActive { downstream.next(element) }
    }

    override func error(_ error: any Error) {
        probe.print(Event<Element>.error(error))
        if live.isActive { downstream.error(error) }
        probe.dispose()
    }

    override func completed() {
        probe.print(Event<Element>.completed)
        if live.isActive { downstream.completed() }
        probe.dispose()
    }
}

/// What prints for one run, and stops it.
private final class Probe: Disposable {
    private let identifier: String
    private let trims: Bool
    private let run = LiveSubscription()
    private let isOver = Atomic(false)

    init(_ identifier: String, trims: Bool) {
        self.identifier = identifier
        self.trims = trims
    }

    func watch(_ source: any Disposable) -> Probe {
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
