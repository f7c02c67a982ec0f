import Synchronization

extension ObservableType {
    /// Drops the elements that are emitted within `duration` after the subscription.
    ///
    ///     source     --1--2--3--4--|
    ///     skip(6)    --------3--4--|
    ///
    /// The result completes and fails with the source, also within `duration`. The observer receives events on the
    /// threads on which the source emits them; `scheduler` only measures the time.
    @inlinable
    public func skip(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.skip) { downstream in
            let hasElapsed = AtomicFlag()
            let timer = scheduler.scheduleRelative(hasElapsed, dueTime: duration) { $0.set() }
            return Disposables.create(timer, source.run(SkipForSink(to: downstream, hasElapsed)))
        }
    }
}

/// A flag that a timer sets.
@usableFromInline
final class AtomicFlag: Sendable {
    private let value = Atomic(false)

    @usableFromInline
    init() {}

    var isSet: Bool { value.load(ordering: .acquiring) }

    @usableFromInline
    func set() -> any Disposable {
        value.store(true, ordering: .releasing)
        return Disposables.create()
    }
}

/// Drops elements until the flag is set.
@usableFromInline
final class SkipForSink<Element>: OperatorSink<Element, Element> {
    private let hasElapsed: AtomicFlag

    @usableFromInline
    init(to downstream: Sink<Element>, _ hasElapsed: AtomicFlag) {
        self.hasElapsed = hasElapsed
        super.init(.skip, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        if hasElapsed.isSet { downstream.next(element) }
    }
}
