extension ObservableType {
    /// Emits each element together with the time at which it arrived, by the clock of `scheduler`.
    ///
    ///     source          --a----b--|
    ///     timestamp()     --a2---b7-|
    ///
    /// The result completes and fails with the source. The observer receives events on the threads on which the source
    /// emits them: `scheduler` is only a clock.
    @inlinable
    public func timestamp(scheduler: any SchedulerType) -> Observable<Timestamped<Element>> {
        let step = Step<Element, Timestamped<Element>> { element, downstream in
            downstream.next(Timestamped(element, at: scheduler.now))
        }
        return asObservable().lift(.timestamp, with: step) { StepSink(.timestamp, to: $1, $0) }
    }
}

/// An element and the time at which it arrived.
public struct Timestamped<Element> {
    /// The element.
    public var element: Element
    /// The time at which the element arrived.
    public var time: RxTime

    /// Creates an element that arrived at `time`.
    public init(_ element: Element, at time: RxTime) {
        self.element = element
        self.time = time
    }
}

extension Timestamped: Sendable where Element: Sendable {}
extension Timestamped: Equatable where Element: Equatable {}
extension Timestamped: Hashable where Element: Hashable {}
