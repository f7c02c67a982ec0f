import Synchronization

extension ObservableType {
    /// The elements that come when `duration` has gone by since subscribing.
    ///
    ///     source     --1--2--3--4--|
    ///     skip(6)    --------3--4--|
    @inlinable
    public func skip(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.skip) { downstream in
            let door = Door()
            let timer = scheduler.scheduleRelative(door, dueTime: duration) { $0.open() }
            return Disposables.create(timer, source.run(SkipForSink(to: downstream, door)))
        }
    }
}

/// Closed until its time has come.
@usableFromInline
final class Door: Sendable {
    private let isOpened = Atomic(false)

    @usableFromInline
    init() {}

    var isOpen: Bool { isOpened.load(ordering: .acquiring) }

    @usableFromInline
    func open() -> any Disposable {
        isOpened.store(true, ordering: .releasing)
        return Disposables.create()
    }
}

@usableFromInline
final class SkipForSink<Element>: OperatorSink<Element, Element> {
    private let door: Door

    @usableFromInline
    init(to downstream: Sink<Element>, _ door: Door) {
        self.door = door
        super.init(.skip, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        if door.isOpen { downstream.next(element) }
    }
}
