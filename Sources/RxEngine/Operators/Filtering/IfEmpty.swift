import Synchronization

extension ObservableType {
    /// The source, or `default` where it ends without an element.
    ///
    ///     source                  -------|
    ///     ifEmpty(default: 1)     -------1|
    @inlinable
    public func ifEmpty(default: Element) -> Observable<Element> {
        asObservable().lift(.ifEmpty) { IfEmptyDefaultSink(to: $0, `default`) }
    }

    /// The source, or `other` where it ends without an element: that is subscribed to then, when the source has been
    /// freed.
    ///
    ///     source                      -------|
    ///     other                              --1--2--|
    ///     ifEmpty(switchTo: other)    ---------1--2--|
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

/// A boundary: it does not pass on the end of an empty source.
@usableFromInline
final class IfEmptySwitchSink<Element>: Sink<Element> {
    private let ticket = ResourceTicket(running: .ifEmpty)
    private let downstream: Sink<Element>
    private let other: Observable<Element>
    private let otherRun = LiveSubscription()
    @exclusivity(unchecked) private var isEmpty = true
    /// How many of two things have happened: the end of an empty source, and the return of its start. `other` is
    /// subscribed to after both, when the source has been freed.
    private let steps = Atomic(0)

    @usableFromInline
    init(to downstream: Sink<Element>, _ other: Observable<Element>) {
        self.downstream = downstream
        self.other = other
        super.init(LiveSubscription())
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
        end { downstream.error(error) }
    }

    @usableFromInline
    override func completed() {
        guard isEmpty else { return end { downstream.completed() } }
        guard live.end() else { return }
        live.dispose()
        proceed()
    }

    private func proceed() {
        if steps.add(1, ordering: .acquiringAndReleasing).oldValue != 0, downstream.live.isActive { runOther() }
    }

    /// The thread may be any: a scheduler's, for example.
    private func runOther() {
        if other.startsOnTrampoline {
            Trampoline.enter { otherRun.attach(other.run(downstream)) }
        } else {
            otherRun.attach(other.run(downstream))
        }
    }
}
