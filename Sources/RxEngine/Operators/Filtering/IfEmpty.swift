extension ObservableType {
    /// Emits `default` if the source completes without an element.
    ///
    ///     source                  -------|
    ///     ifEmpty(default: 1)     -------1|
    ///
    /// Completes and fails with the source.
    /// The thread that completes the source emits `default`, too.
    @inlinable
    public func ifEmpty(default: Element) -> Observable<Element> {
        asObservable().lift(.ifEmpty) { IfEmptyDefaultSink(to: $0, `default`) }
    }

    /// Continues with `other` if the source completes without an element.
    ///
    ///     source                      -------|
    ///     other                              --1--2--|
    ///     ifEmpty(switchTo: other)    ---------1--2--|
    ///
    /// Disposes the source, and then subscribes to `other`, on the thread on which the source completed; if another
    /// thread is still starting the source, on that one.
    ///
    /// Completes with the source or, if that was empty, with `other`. Fails with the error of either.
    /// The observer is called on the threads of the sequence that is running.
    @inlinable
    public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
        let source = asObservable()
        return .source(.ifEmpty) { IfEmptySwitchSink(to: $0, other).run(source) }
    }
}

@usableFromInline
final class IfEmptyDefaultSink<Element>: OperatorSink<Element, Element> {
    private let element: Element
    @exclusivity(unchecked) private var isEmpty = true

    @usableFromInline
    init(to downstream: Sink<Element>, _ element: Element) {
        self.element = element
        super.init(.ifEmpty, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        isEmpty = false
        downstream.next(element)
    }

    @usableFromInline
    override func completed() {
        guard live.isActive else { return }
        if isEmpty { downstream.next(element) }
        if live.isActive { downstream.completed() }
    }
}

/// A boundary: it does not forward the completion of an empty source.
@usableFromInline
final class IfEmptySwitchSink<Element>: Sink<Element> {
    private let ticket: ResourceTicket
    private let downstream: Sink<Element>
    private let other: Observable<Element>
    private let otherRun: LiveSubscription
    @exclusivity(unchecked) private var isEmpty = true
    /// The completion of an empty source, and the return of the call that started it. The second one of them subscribes
    /// to `other`, so that the source is disposed before.
    private let completionAndStart = Rendezvous()

    @usableFromInline
    init(to downstream: Sink<Element>, _ other: Observable<Element>) {
        var downstream = downstream
        ticket = ResourceTicket(running: .ifEmpty, into: &downstream)
        self.downstream = downstream
        self.other = other
        otherRun = LiveSubscription(in: ticket)
        super.init(LiveSubscription(in: ticket))
    }

    @usableFromInline
    func run(_ source: Observable<Element>) -> any Disposable {
        live.attach(source.run(self))
        proceed()
        return TwoSubscriptions(first: live, second: otherRun)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        isEmpty = false
        downstream.next(element)
        if !downstream.live.isActive { live.dispose() }
    }

    @usableFromInline
    override func error(_ error: any Error) {
        live.fail(error) { downstream.error(error) }
    }

    @usableFromInline
    override func completed() {
        if !isEmpty {
            live.end { downstream.completed() }
        } else if live.end({}) {
            proceed()
        }
    }

    private func proceed() {
        if completionAndStart.arrive() == .second, downstream.live.isActive { runOther() }
    }

    /// Called on any thread, for example on a scheduler's.
    private func runOther() {
        if other.startsOnTrampoline {
            Trampoline.enter { otherRun.attach(other.run(downstream)) }
        } else {
            otherRun.attach(other.run(downstream))
        }
    }
}
