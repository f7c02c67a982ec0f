extension AsyncSequence where Failure == Never {
    /// Makes an infallible of the elements; each subscription iterates over the sequence in its own detached task.
    ///
    /// It completes when the sequence ends, and behaves as ``_Concurrency/AsyncSequence/asObservable(priority:)``.
    ///
    /// - Parameter priority: the priority of the task.
    @preconcurrency
    public func asInfallible(priority: TaskPriority? = nil) -> Infallible<Element> where Self: Sendable {
        Infallible(asObservable(priority: priority))
    }

    /// Makes an infallible of the elements that asks for the next one only when `demand` has room for it.
    ///
    /// It behaves as ``_Concurrency/AsyncSequence/asObservable(demand:priority:)``.
    ///
    /// - Parameters:
    ///   - demand: the limit of elements in flight, which ``InfallibleType/values(demand:bufferingPolicy:)`` counts at
    ///     the other end of the chain.
    ///   - priority: the priority of the task.
    @preconcurrency
    public func asInfallible(demand: Demand, priority: TaskPriority? = nil) -> Infallible<Element>
    where Self: Sendable {
        Infallible(asObservable(demand: demand, priority: priority))
    }

    /// Makes a driver of the elements that asks for the next one only when `demand` has room for it.
    ///
    /// An element is in flight until the main scheduler has delivered it, and longer if
    /// ``SharedSequence/values(demand:bufferingPolicy:)`` or ``SharedSequenceConvertibleType/counted(in:_:)`` counts
    /// it. It completes when the sequence ends, and otherwise behaves as
    /// ``_Concurrency/AsyncSequence/asObservable(demand:priority:)``, for one run that is shared.
    ///
    /// - Parameters:
    ///   - demand: the limit of elements in flight.
    ///   - priority: the priority of the task.
    @preconcurrency
    public func asDriver(demand: Demand, priority: TaskPriority? = nil) -> Driver<Element> where Self: Sendable {
        asSharedSequence(demand: demand, priority: priority)
    }

    /// Makes a signal of the elements that asks for the next one only when `demand` has room for it.
    ///
    /// An element is in flight until the main scheduler has delivered it, and longer if
    /// ``SharedSequence/values(demand:bufferingPolicy:)`` or ``SharedSequenceConvertibleType/counted(in:_:)`` counts
    /// it. It completes when the sequence ends, and otherwise behaves as
    /// ``_Concurrency/AsyncSequence/asObservable(demand:priority:)``, for one run that is shared.
    ///
    /// - Parameters:
    ///   - demand: the limit of elements in flight.
    ///   - priority: the priority of the task.
    @preconcurrency
    public func asSignal(demand: Demand, priority: TaskPriority? = nil) -> Signal<Element> where Self: Sendable {
        asSharedSequence(demand: demand, priority: priority)
    }

    /// The main scheduler queues elements, which therefore count until it has delivered them.
    private func asSharedSequence<Strategy: SharingStrategyProtocol>(
        demand: Demand, priority: TaskPriority?
    ) -> SharedSequence<Strategy, Element> where Self: Sendable {
        let scheduler = Strategy.scheduler
        return SharedSequence(
            asObservable(demand: demand, priority: priority).counted(in: demand) { $0.observe(on: scheduler) })
    }
}
