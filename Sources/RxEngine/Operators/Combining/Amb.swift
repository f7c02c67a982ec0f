import Synchronization

extension ObservableType {
    /// Emits the events of this sequence or of `right`, whichever emits first, and disposes the other.
    ///
    ///     self    ----1--2--|
    ///     right   --8--9-------|
    ///     amb     --8--9-------|
    ///
    /// Completion and errors count as events, too: the result ends as the sequence that emitted first. This sequence is
    /// subscribed to first. If it emits during its own subscription, `right` is still subscribed to, and disposed at
    /// once. The observer receives events on the threads on which the sequence emits them.
    @inlinable
    public func amb(_ right: some ObservableType<Element>) -> Observable<Element> {
        .amb([asObservable(), right.asObservable()])
    }

    /// Emits the events of this sequence or of `right`, whichever emits first; the compiler infers the type of `right`.
    ///
    ///     answer.amb(.never())
    ///
    /// Completes or fails as the sequence that emitted first, on whose threads the observer receives the events. This
    /// sequence is subscribed to first.
    @inlinable
    public func amb(_ right: Observable<Element>) -> Observable<Element> {
        .amb([asObservable(), right])
    }

    /// Emits the events of the one of these sequences that emits first, and disposes the others.
    ///
    /// Completion and errors count as events, too: the result ends as the sequence that emitted first. All sequences
    /// are subscribed to, in order. If there are none, the result never emits and never ends.
    /// The observer receives events on the threads of the sequence that won.
    @inlinable
    public static func amb<Sources: Swift.Sequence>(_ sequence: Sources) -> Observable<Element>
    where Sources.Element: ObservableConvertibleType<Element> {
        let sources = sequence.map { $0.asObservable() }
        return .source(.amb) { AmbRun.run(sources, into: $0) }
    }
}

// Unchecked: immutable, but for an atomic.
/// One run of `amb`: it stops all sources but the first to emit. It is also the disposable of the run.
@usableFromInline
final class AmbRun: Disposable, @unchecked Sendable {
    private let ticket: ResourceTicket
    private let subscriptions: [LiveSubscription]
    private let winner = Atomic(-1)

    private init(_ count: Int, into sink: AnySink) {
        ticket = ResourceTicket(running: .amb, under: sink.record)
        let record = ticket.record
        subscriptions = (0..<count).map { _ in LiveSubscription(under: record) }
    }

    @usableFromInline
    static func run<Element>(_ sources: [Observable<Element>], into sink: Sink<Element>) -> any Disposable {
        let ambRun = AmbRun(sources.count, into: sink)
        for (index, source) in sources.enumerated() {
            let live = ambRun.subscriptions[index]
            live.attach(source.run(AmbSourceSink(to: sink, in: ambRun, as: index, live)))
        }
        return ambRun
    }

    /// Makes a source the winner, if no other has won.
    ///
    /// - Returns: whether the source is the winner, since now or before.
    fileprivate func claimWin(for index: Int) -> Bool {
        let winner = winner.load(ordering: .relaxed)
        return winner < 0 ? claimFirst(index) : winner == index
    }

    private func claimFirst(_ index: Int) -> Bool {
        let (isFirst, winner) = winner.compareExchange(expected: -1, desired: index, ordering: .relaxed)
        guard isFirst else { return winner == index }
        for live in subscriptions where live !== subscriptions[index] { live.dispose() }
        return true
    }

    @usableFromInline
    func dispose() {
        for live in subscriptions { live.dispose() }
    }
}

/// The boundary sink of one source's chain.
private final class AmbSourceSink<Element>: Sink<Element> {
    private let downstream: Sink<Element>
    private let ambRun: AmbRun
    private let index: Int

    init(to downstream: Sink<Element>, in ambRun: AmbRun, as index: Int, _ live: LiveSubscription) {
        self.downstream = downstream
        self.ambRun = ambRun
        self.index = index
        super.init(live)
    }

    override func next(_ element: Element) {
        guard live.isActive, ambRun.claimWin(for: index), live.isActive else { return }
        downstream.next(element)
        if !downstream.live.isActive { ambRun.dispose() }
    }

    override func error(_ error: any Error) {
        finish(with: .error(error))
    }

    override func completed() {
        finish(with: .completed)
    }

    private func finish(with end: Termination) {
        let isDelivered = ambRun.claimWin(for: index) && live.end { downstream.terminate(with: end) }
        if !isDelivered { Hooks.dropped(end) }
    }
}
