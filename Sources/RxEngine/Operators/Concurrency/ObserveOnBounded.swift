import Synchronization

/// A rule for elements that arrive while a bounded buffer is full.
public enum OverflowRule: Sendable, CaseIterable {
    /// Drops the oldest element in the buffer.
    case dropOldest
    /// Drops the element that arrives.
    case dropNewest
    /// Drops all elements in the buffer, so that the latest element is the next to be delivered.
    case latest
    /// Drops the element that arrives, and fails with a ``BufferOverflowError`` after the elements in the buffer.
    case error
}

/// The error of a bounded buffer that is full, with ``OverflowRule/error``.
public struct BufferOverflowError: Error, Equatable, CustomStringConvertible {
    /// The maximum number of elements in the buffer.
    public let limit: Int

    /// Creates an error of a buffer of `limit` elements.
    public init(limit: Int) {
        self.limit = limit
    }

    /// A sentence that names the limit.
    public var description: String { "a buffer of \(limit) elements is full" }
}

extension RingBuffer {
    /// Appends an element to a queue of at most `capacity`, or drops elements if it is full.
    ///
    /// - Returns: the error of a full queue with ``OverflowRule/error``.
    @inline(__always)
    mutating func append(
        _ element: Element, upTo capacity: Int, _ overflow: OverflowRule, dropping dropped: inout RingBuffer
    ) -> BufferOverflowError? {
        if count < capacity {
            append(element)
            return nil
        }
        switch overflow {
        case .dropNewest:
            dropped.append(element)
            return nil
        case .error:
            dropped.append(element)
            return BufferOverflowError(limit: capacity)
        case .dropOldest: dropped.append(removeFirst())
        case .latest: swap(&self, &dropped)
        }
        append(element)
        return nil
    }
}

/// A counter of dropped elements, which several sequences may share.
public final class DropCount: Sendable {
    private let count = Atomic(0)

    /// Creates a counter that starts at 0.
    public init() {}

    /// The number of elements that have been dropped so far.
    public var value: Int { count.load(ordering: .relaxed) }

    package func add(_ number: Int) {
        count.add(number, ordering: .relaxed)
    }
}

extension ObservableType {
    /// Delivers the events of this sequence on `scheduler`, with a queue of at most `bufferSize` elements.
    ///
    ///     source                                               --1234------|
    ///     observe(on: busy, bufferSize: 2, dropOldest)         --1----3--4-|
    ///     observe(on: busy, bufferSize: 2, dropNewest)         --1----2--3-|
    ///     observe(on: busy, bufferSize: 2, latest)             --1----4----|
    ///
    /// The thread that emits is never blocked: an element that finds the queue full is handled by `overflow`. The end
    /// is never dropped, and follows the queued elements. Otherwise it behaves like ``ObservableType/observe(on:)``.
    /// With ``OverflowRule/error``, that element ends the result and disposes the source.
    /// ``ObservableType/onBackpressure(_:on:onDropped:)`` reports the dropped elements themselves.
    ///
    ///     let drops = DropCount()
    ///     readings.observe(on: scheduler, bufferSize: 100, overflow: .dropOldest, drops: drops)
    ///
    /// - Parameters:
    ///   - scheduler: the scheduler that delivers the events.
    ///   - bufferSize: the maximum number of queued elements, at least 1.
    ///   - overflow: selects the element that is dropped if the queue is full.
    ///   - drops: counts the dropped elements.
    @inlinable
    public func observe(
        on scheduler: any ImmediateSchedulerType, bufferSize: Int, overflow: OverflowRule, drops: DropCount? = nil
    ) -> Observable<Element> {
        precondition(bufferSize > 0, "observe(on:bufferSize:): the buffer size must be positive, but is \(bufferSize)")
        return asObservable().observe(on: scheduler, through: { BoundedQueue(bufferSize, overflow, drops) })
    }
}

extension Observable {
    /// Delivers the events on `scheduler` through a bounded queue, one for each run.
    @usableFromInline
    func observe(
        on scheduler: any ImmediateSchedulerType, through makeQueue: @escaping () -> BoundedQueue<Element>
    ) -> Observable<Element> {
        .source(.observeOn) { sink in
            let queue = makeQueue()
            return self.lift(.observeOn) { EnqueueSink(to: $0, queue) }.observe(on: scheduler).run(
                DequeueSink(to: sink, queue))
        }
    }
}

/// The bounded queue of elements. The scheduler gets a signal to dequeue one element instead of the element itself.
@usableFromInline
final class BoundedQueue<Element> {
    private let capacity: Int
    private let overflow: OverflowRule
    private let drops: DropCount?
    private let onDropped: ((Element) -> Void)?
    private let lock = Lock()
    // Below: guarded by the lock.
    @exclusivity(unchecked) private var elements = RingBuffer<Element>()
    /// The number of signals that are scheduled. A signal that finds the queue empty does nothing.
    @exclusivity(unchecked) private var signals = 0

    @usableFromInline
    init(
        _ capacity: Int, _ overflow: OverflowRule, _ drops: DropCount? = nil, onDropped: ((Element) -> Void)? = nil
    ) {
        self.capacity = capacity
        self.overflow = overflow
        self.drops = drops
        self.onDropped = onDropped
    }

    /// The result of queueing an element: whether to schedule a signal, or an overflow.
    fileprivate enum Arrival {
        case queued, needsSignal
        case overflow(BufferOverflowError)
    }

    /// Queues an element, or drops elements if the queue is full.
    fileprivate func enqueue(_ element: Element) -> Arrival {
        // Dropped elements are released with this queue, after the lock is unlocked.
        var dropped = RingBuffer<Element>()
        let arrival = lock.locked { () -> Arrival in
            if let error = elements.append(element, upTo: capacity, overflow, dropping: &dropped) {
                return .overflow(error)
            }
            guard signals < elements.count else { return .queued }
            signals += 1
            return .needsSignal
        }
        if !dropped.isEmpty { report(&dropped) }
        return arrival
    }

    private func report(_ dropped: inout RingBuffer<Element>) {
        drops?.add(dropped.count)
        guard let onDropped else { return }
        while !dropped.isEmpty { onDropped(dropped.removeFirst()) }
    }

    /// Moves the oldest element, if there is one, to `target`.
    fileprivate func dequeue(into target: inout RingBuffer<Element>) {
        lock.locked {
            signals -= 1
            if !elements.isEmpty { target.append(elements.removeFirst()) }
        }
    }
}

/// Queues each element and passes a signal on in its place.
@usableFromInline
final class EnqueueSink<Element>: OperatorSink<Element, Void> {
    private let queue: BoundedQueue<Element>

    @usableFromInline
    init(to downstream: Sink<Void>, _ queue: BoundedQueue<Element>) {
        self.queue = queue
        super.init(.observeOn, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard live.isActive else { return }
        switch queue.enqueue(element) {
        case .queued: break
        case .needsSignal: downstream.next(())
        case .overflow(let error): if live.isActive { downstream.error(error) }
        }
    }
}

/// Dequeues an element for each signal.
@usableFromInline
final class DequeueSink<Element>: OperatorSink<Void, Element> {
    private let queue: BoundedQueue<Element>
    @exclusivity(unchecked) private var dequeued = RingBuffer<Element>()

    @usableFromInline
    init(to downstream: Sink<Element>, _ queue: BoundedQueue<Element>) {
        self.queue = queue
        super.init(.observeOn, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Void) {
        queue.dequeue(into: &dequeued)
        if !dequeued.isEmpty { downstream.next(dequeued.removeFirst()) }
    }
}
