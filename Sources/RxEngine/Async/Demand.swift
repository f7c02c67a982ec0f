/// A limit on the elements in flight between sources that can wait and a consumer that iterates.
///
/// ```swift
/// let demand = Demand(limit: 4)
/// for try await line in lines.asObservable(demand: demand).map(parse).values(demand: demand) {
///     try await store(line)
/// }
/// ```
///
/// An element is in flight from the moment a source is asked for it (`AsyncSequence.asObservable(demand:priority:)`)
/// until the operators that it passes have returned, while it is inside ``ObservableType/counted(in:_:)``, and while it
/// is queued for the consumer (``ObservableConvertibleType/values(demand:bufferingPolicy:)``). A source asks for the next
/// element only when fewer than ``limit`` are in flight. So it is never more than `limit` elements ahead of what the
/// consumer has taken, if each of its elements becomes at most one.
///
/// Elements that an operator keeps, as `zip` and `buffer` do, do not count, nor do those that it passes to a scheduler or
/// task, unless ``ObservableType/counted(in:_:)`` counts them. Sources that cannot wait, such as subjects, do not observe
/// the limit; what they emit counts when it is queued for the consumer. Several sources and consumers may share a demand.
/// Each source that waits for its next element holds one place, so the limit must be larger than the number of sources that
/// may have nothing to emit for a long time. What a run holds stops counting when the run is disposed, and what is queued
/// for a consumer also when the consumer is released; it counts after the end of the sequence until it is taken. A disposed
/// source whose sequence does not observe cancellation holds its place until it returns.
public final class Demand: Sendable {
    /// The number of elements that may be in flight.
    public let limit: Int
    private let state = Locked(State())

    /// Creates a demand without elements in flight.
    ///
    /// - Parameter limit: the number of elements that may be in flight. A number that is not positive traps.
    public init(limit: Int) {
        precondition(limit > 0, "Demand(limit:): the limit must be positive, but is \(limit)")
        self.limit = limit
    }

    /// The number of elements that are in flight.
    ///
    /// It exceeds the limit only by elements of sources that cannot wait, or that an operator has made of one.
    public var inFlight: Int { state.withLock { $0.inFlight } }

    /// Waits until fewer than ``limit`` elements are in flight, and counts one for the caller. Callers are served in the
    /// order in which they ask.
    ///
    /// - Returns: whether the element is counted. Otherwise the task was cancelled.
    func reserve() async -> Bool {
        if Task.isCancelled { return false }
        if state.withLock({ $0.reserve(limit) }) { return true }
        let waiter = Waiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { $0.wait(limit, waiter, continuation) }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.cancel(waiter) }?.resume(returning: false)
        }
    }

    /// Counts elements that are in flight from now on, beyond the limit if need be.
    func add(_ count: Int) {
        state.withLock { $0.inFlight += count }
    }

    /// Counts elements that are no longer in flight, and resumes the sources that there is room for.
    func remove(_ count: Int) {
        for continuation in state.withLock({ $0.remove(limit, count) }) { continuation.resume(returning: true) }
    }
}

extension Demand {
    private typealias Continuation = CheckedContinuation<Bool, Never>

    // Unchecked: the lock of the demand guards the state.
    /// A task that waits for room.
    private final class Waiter: @unchecked Sendable {
        var continuation: Continuation?
        var isCancelled = false
    }

    /// The elements in flight, and the tasks that wait for room, oldest first. Each transition returns what to resume.
    private struct State {
        var inFlight = 0
        private var waiters: [Waiter] = []

        mutating func reserve(_ limit: Int) -> Bool {
            guard inFlight < limit else { return false }
            inFlight += 1
            return true
        }

        /// - Returns: what to answer at once; `nil` if the task waits.
        mutating func wait(_ limit: Int, _ waiter: Waiter, _ continuation: Continuation) -> Bool? {
            if waiter.isCancelled { return false }
            if reserve(limit) { return true }
            waiter.continuation = continuation
            waiters.append(waiter)
            return nil
        }

        mutating func cancel(_ waiter: Waiter) -> Continuation? {
            waiter.isCancelled = true
            waiters.removeAll { $0 === waiter }
            return waiter.continuation.take()
        }

        mutating func remove(_ limit: Int, _ count: Int) -> [Continuation] {
            inFlight -= count
            var ready: [Continuation] = []
            while !waiters.isEmpty, reserve(limit) {
                if let continuation = waiters.removeFirst().continuation.take() { ready.append(continuation) }
            }
            return ready
        }
    }
}
