extension ObservableType {
    /// Emits the elements in arrays: when an array has `count` elements, or `timeSpan` after the previous array.
    ///
    ///     source                            --1-2-3-4-------5-|
    ///     buffer(timeSpan: 6, count: 3)     ------[123]-[4]---[5]|
    ///
    /// An array that `timeSpan` ends may be empty. Completes when the source completes, after an array of the remaining
    /// elements, possibly none. Fails with the source's error and drops the remaining elements.
    ///
    /// The source's thread delivers an array that is full, `scheduler` one that `timeSpan` ends. Two deliveries never
    /// overlap.
    /// The remaining elements, and the end, are delivered on the thread that ends the source.
    ///
    /// - Parameters:
    ///   - timeSpan: the longest time between two arrays.
    ///   - count: the number of elements in a full array.
    ///   - scheduler: measures `timeSpan`.
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
    @exclusivity(unchecked) private var elements = RingBuffer<Element>()

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

    override func receive(_ element: Element) {
        guard downstream.live.isActive else { return }
        elements.append(element)
        if elements.count == count { spanExpired() }
    }

    override func spanExpired() {
        guard downstream.live.isActive else { return }
        downstream.next(elements.removeAll())
        if downstream.live.isActive { restart() }
    }

    override func end(_ end: Termination) {
        guard downstream.live.isActive else { return }
        if case .completed = end { downstream.next(elements.removeAll()) }
        elements = RingBuffer()
        if downstream.live.isActive { downstream.terminate(with: end) }
    }
}
