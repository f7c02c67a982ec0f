extension ObservableType {
    /// Each element that no other follows for `dueTime`, when that has gone by.
    ///
    ///     source         --1-2-3-----4----5-|
    ///     debounce(3)    ---------3-----4--5|
    ///
    /// The source's completion brings what is waiting, an error drops it.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        let source = asObservable()
        return .source(.debounce) { DebounceSink(to: $0, dueTime, on: scheduler).start(source) }
    }
}

// Unchecked: as its superclass.
@usableFromInline
final class DebounceSink<Element>: CountdownSink<Element, Element>, @unchecked Sendable {
    @exclusivity(unchecked) private var waiting = Room<Element>()

    @usableFromInline
    init(to downstream: Sink<Element>, _ dueTime: RxTimeInterval, on scheduler: any SchedulerType) {
        super.init(.debounce, to: downstream, span: dueTime, on: scheduler)
    }

    override func take(_ element: Element) {
        guard downstream.live.isActive else { return }
        waiting.put(element)
        restart()
    }

    override func ranOut() {
        if downstream.live.isActive, !waiting.isEmpty { downstream.next(waiting.take()) }
    }

    override func end(_ end: Termination) {
        switch end {
        case .error: waiting.clear()
        case .completed: ranOut()
        }
        if downstream.live.isActive { downstream.stop(with: end) }
    }
}
