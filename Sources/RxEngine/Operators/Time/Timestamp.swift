extension ObservableType {
    /// Each element with the time at which it came, by the clock of `scheduler`.
    ///
    ///     source          --a----b--|
    ///     timestamp()     --a2---b7-|
    @inlinable
    public func timestamp(scheduler: any SchedulerType) -> Observable<Timestamped<Element>> {
        let step = Step<Element, Timestamped<Element>> { element, downstream in
            downstream.next(Timestamped(element, at: scheduler.now))
        }
        return asObservable().lift(.timestamp, with: step) { StepSink(.timestamp, to: $1, $0) }
    }
}

/// An element and the time at which it came.
public struct Timestamped<Element> {
    /// The element.
    public var element: Element
    /// When it came.
    public var time: RxTime

    /// An element that came at `time`.
    public init(_ element: Element, at time: RxTime) {
        self.element = element
        self.time = time
    }
}

extension Timestamped: Sendable where Element: Sendable {}
extension Timestamped: Equatable where Element: Equatable {}
extension Timestamped: Hashable where Element: Hashable {}
