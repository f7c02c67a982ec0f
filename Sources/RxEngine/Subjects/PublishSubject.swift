import Synchronization

// Unchecked: what changes is behind the mutex.
/// A subject without memory: subscribers get what comes after them.
///
///     on          --1--2-----3--|
///     first       --1--2-----3--|
///     second            .----3--|
///
/// Whoever subscribes after the end gets the end alone; after ``dispose()``, an error. Events may come from any thread,
/// but never two at once.
public final class PublishSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    private let ticket = ResourceTicket(.subject)
    private let state = Mutex(SubjectState<Element>())

    /// A subject without subscribers.
    public override init() {}

    /// Nothing runs on subscribing that would need putting off.
    public override var startsOnTrampoline: Bool { false }

    /// Whether anyone is subscribed.
    public var hasObservers: Bool {
        state.withLock { !$0.sinks.isEmpty }
    }

    /// Whether the subject was disposed.
    public var isDisposed: Bool {
        state.withLock { if case .disposed = $0.phase { true } else { false } }
    }

    /// Tells every subscriber. After a terminal event nothing is told any more.
    public func on(_ event: Event<Element>) {
        switch event {
        case .next(let element): onNext(element)
        case .error, .completed:
            let last = state.withLock { $0.stop(with: event) }
            for sink in last.sinks { sink.on(event) }
        }
    }

    /// Tells every subscriber.
    public func onNext(_ element: Element) {
        let list = state.withLock { $0.sinks }
        for sink in list.sinks { sink.next(element) }
    }

    /// Adds a subscriber; after the end it is told the end at once.
    public override func run(_ sink: Sink<Element>) -> any Disposable {
        switch state.withLock({ $0.join(sink) }) {
        case .open(let key): return Membership(of: self, key)
        case .stopped(let event): sink.on(event)
        case .disposed: sink.error(RxError.disposed(object: self))
        }
        return Disposables.create()
    }

    /// The subject itself.
    public func asObserver() -> PublishSubject<Element> {
        self
    }

    /// Lets go of every subscriber without a word.
    public func dispose() {
        let last = state.withLock { $0.dispose() }
        withExtendedLifetime(last) {}
    }

    private func leave(_ key: SinkList<Element>.Key) {
        let before = state.withLock { $0.leave(key) }
        withExtendedLifetime(before) {}
    }

    /// A subscriber's place in the list. It does not keep the subject alive.
    private struct Membership: Disposable {
        weak let subject: PublishSubject?
        let key: SinkList<Element>.Key

        init(of subject: PublishSubject, _ key: SinkList<Element>.Key) {
            self.subject = subject
            self.key = key
        }

        func dispose() {
            subject?.leave(key)
        }
    }
}

// Unchecked: reached only under the subject's lock.
/// What a subject knows. Its transitions decide, under the subject's lock; the subject acts, outside it.
private struct SubjectState<Element>: @unchecked Sendable {
    /// The subject's phase, or, with the subscriber's key in it, the answer to a new subscriber.
    enum Phase<Key>: @unchecked Sendable {
        case open(Key)
        case stopped(Event<Element>)
        case disposed
    }

    private(set) var sinks = SinkList<Element>()
    private(set) var phase = Phase<Void>.open(())

    mutating func join(_ sink: Sink<Element>) -> Phase<SinkList<Element>.Key> {
        switch phase {
        case .open: .open(sinks.append(sink))
        case .stopped(let event): .stopped(event)
        case .disposed: .disposed
        }
    }

    /// - Returns: the subscribers as they were.
    mutating func leave(_ key: SinkList<Element>.Key) -> SinkList<Element> {
        let before = sinks
        sinks.remove(key)
        return before
    }

    /// - Returns: the subscribers to tell.
    mutating func stop(with event: Event<Element>) -> SinkList<Element> {
        guard case .open = phase else { return SinkList() }
        phase = .stopped(event)
        return sinks.takeAll()
    }

    /// - Returns: the subscribers as they were.
    mutating func dispose() -> SinkList<Element> {
        phase = .disposed
        return sinks.takeAll()
    }
}
