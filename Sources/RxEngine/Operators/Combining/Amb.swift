import Synchronization

extension ObservableType {
    /// This sequence or `right`, whichever says something first, an end included. The other is disposed.
    ///
    ///     self    ----1--2--|
    ///     right   --8--9-------|
    ///     amb     --8--9-------|
    ///
    /// This sequence is subscribed to first. Where it says something inside that, `right` is subscribed to and
    /// disposed.
    @inlinable
    public func amb<Right: ObservableType>(_ right: Right) -> Observable<Element> where Right.Element == Element {
        .amb([asObservable(), right.asObservable()])
    }

    /// This sequence or `right`, whichever says something first, where the type is left to the compiler:
    /// `amb(.never())`.
    @inlinable
    public func amb(_ right: Observable<Element>) -> Observable<Element> {
        .amb([asObservable(), right])
    }

    /// The one of these sequences that says something first, an end included. The others are disposed.
    ///
    /// They are subscribed to in order, all of them. Where there are none, nothing is ever said.
    @inlinable
    public static func amb<Sources: Swift.Sequence>(_ sequence: Sources) -> Observable<Element>
    where Sources.Element: ObservableConvertibleType<Element> {
        let sources = sequence.map { $0.asObservable() }
        return .source(.amb) { Contest.run(sources, into: $0) }
    }
}

// Unchecked: immutable, but for what is atomic.
/// Sources of which the first to say something wins: what their run returns.
@usableFromInline
final class Contest: Disposable, @unchecked Sendable {
    private let ticket = ResourceTicket(running: .amb)
    private let lives: [LiveSubscription]
    private let winner = Atomic(-1)

    private init(_ count: Int) {
        lives = (0..<count).map { _ in LiveSubscription() }
    }

    @usableFromInline
    static func run<Element>(_ sources: [Observable<Element>], into sink: Sink<Element>) -> any Disposable {
        let contest = Contest(sources.count)
        for (index, source) in sources.enumerated() {
            let live = contest.lives[index]
            live.attach(source.run(ContestSink(to: sink, in: contest, as: index, live)))
        }
        return contest
    }

    /// - Returns: whether the one who asks has won, first of all or before.
    fileprivate func isWon(by index: Int) -> Bool {
        let winner = winner.load(ordering: .relaxed)
        return winner < 0 ? claim(index) : winner == index
    }

    private func claim(_ index: Int) -> Bool {
        let (isFirst, winner) = winner.compareExchange(expected: -1, desired: index, ordering: .relaxed)
        guard isFirst else { return winner == index }
        for live in lives where live !== lives[index] { live.dispose() }
        return true
    }

    @usableFromInline
    func dispose() {
        for live in lives { live.dispose() }
    }
}

/// The end of one source's chain.
private final class ContestSink<Element>: Sink<Element> {
    private let downstream: Sink<Element>
    private let contest: Contest
    private let index: Int

    init(to downstream: Sink<Element>, in contest: Contest, as index: Int, _ live: LiveSubscription) {
        self.downstream = downstream
        self.contest = contest
        self.index = index
        super.init(live)
    }

    override func next(_ element: Element) {
        guard live.isActive, contest.isWon(by: index), live.isActive else { return }
        downstream.next(element)
        if !downstream.live.isActive { contest.dispose() }
    }

    override func error(_ error: any Error) {
        stop(.error(error))
    }

    override func completed() {
        stop(.completed)
    }

    private func stop(_ end: Termination) {
        guard contest.isWon(by: index), live.end() else { return }
        downstream.stop(with: end)
        live.dispose()
    }
}
