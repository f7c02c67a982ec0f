extension ObservableType {
    /// The elements in sequences of their own: one ends, and the next is told, when it has had `count` elements or
    /// `timeSpan` has gone by. The first is told on subscribing.
    ///
    ///     source                            --1-2-3-4-------5-|
    ///     window(timeSpan: 6, count: 3)     a-----b-----c-----|
    ///     a                                 --1-2-3|
    ///     b                                       --4---|
    ///
    /// The source's end is that of the window, too. As long as any window is subscribed to, the source goes on, even
    /// where the sequence of windows was disposed.
    @inlinable
    public func window(
        timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType
    ) -> Observable<Observable<Element>> {
        let source = asObservable()
        return .source(.window) { WindowSink(to: $0, timeSpan, count, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
@usableFromInline
final class WindowSink<Element>: CountdownSink<Element, Observable<Element>>, @unchecked Sendable {
    private let count: Int
    private var filled = 0
    private var window = PublishSubject<Element>()
    /// Stops the source when neither the windows nor any of them is subscribed to.
    private var users: RefCountDisposable?

    @usableFromInline
    init(
        to downstream: Sink<Observable<Element>>, _ timeSpan: RxTimeInterval, _ count: Int,
        on scheduler: any SchedulerType
    ) {
        self.count = count
        super.init(.window, to: downstream, span: timeSpan, on: scheduler)
    }

    @usableFromInline
    override func start(_ source: Observable<Element>) -> any Disposable {
        let users = RefCountDisposable(disposable: disposable)
        self.users = users
        tellWindow()
        guard isWanted else { return users }
        restart()
        _ = super.start(source)
        return users
    }

    override var isWanted: Bool { super.isWanted || users?.isInUse == true }

    override func take(_ element: Element) {
        window.onNext(element)
        filled += 1
        if filled == count { ranOut() }
    }

    override func ranOut() {
        filled = 0
        window.on(.completed)
        window = PublishSubject()
        tellWindow()
        restart()
    }

    override func end(_ end: Termination) {
        window.on(Event(end))
        if downstream.live.isActive { downstream.stop(with: end) }
    }

    private func tellWindow() {
        guard downstream.live.isActive, let users else { return }
        downstream.next(window.using(users))
    }
}

extension PublishSubject {
    /// The subject, whose subscriptions keep what `users` holds.
    @usableFromInline
    func using(_ users: RefCountDisposable) -> Observable<Element> {
        .source(onTrampoline: false) { sink in
            let use = users.retain()
            return Disposables.create(use, self.run(sink))
        }
    }
}
