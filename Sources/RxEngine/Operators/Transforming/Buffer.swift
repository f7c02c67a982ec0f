extension ObservableType {
    /// The elements in arrays: one is told when it has `count` elements, or when `timeSpan` has gone by since the last
    /// one, be it empty.
    ///
    ///     source                            --1-2-3-4-------5-|
    ///     buffer(timeSpan: 6, count: 3)     ------[123]-[4]---[5]|
    ///
    /// The source's completion brings the rest, be it empty; an error drops it.
    @inlinable
    public func buffer(
        timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType
    ) -> Observable<[Element]> {
        let source = asObservable()
        return .source(.buffer) { BufferSink(to: $0, timeSpan, count, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
@usableFromInline
final class BufferSink<Element>: CountdownSink<Element, [Element]>, @unchecked Sendable {
    private let count: Int
    @exclusivity(unchecked) private var elements = Ring<Element>()

    @usableFromInline
    init(to downstream: Sink<[Element]>, _ timeSpan: RxTimeInterval, _ count: Int, on scheduler: any SchedulerType) {
        self.count = count
        super.init(.buffer, to: downstream, span: timeSpan, on: scheduler)
    }

    @usableFromInline
    override func start(_ source: Observable<Element>) -> any Disposable {
        restart()
        return super.start(source)
    }

    override func take(_ element: Element) {
        guard downstream.live.isActive else { return }
        elements.append(element)
        if elements.count == count { ranOut() }
    }

    override func ranOut() {
        guard downstream.live.isActive else { return }
        downstream.next(elements.removeAll())
        if downstream.live.isActive { restart() }
    }

    override func end(_ end: Termination) {
        guard downstream.live.isActive else { return }
        if case .completed = end { downstream.next(elements.removeAll()) }
        elements = Ring()
        if downstream.live.isActive { downstream.stop(with: end) }
    }
}
