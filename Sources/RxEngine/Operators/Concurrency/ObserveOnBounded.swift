import Synchronization

/// What becomes of elements that come faster than they are told, once the room for them is full.
public enum OverflowRule: Sendable, CaseIterable {
    /// The one that has waited longest makes room.
    case dropOldest
    /// The one that comes is not taken.
    case dropNewest
    /// All that wait make room: what is told next is the latest there is.
    case latest
}

/// Counts elements that were dropped. One may count for several sequences.
public final class DropCount: Sendable {
    private let count = Atomic(0)

    /// Counts from 0.
    public init() {}

    /// How many have been dropped so far.
    public var value: Int { count.load(ordering: .relaxed) }

    package func add(_ number: Int) {
        count.add(number, ordering: .relaxed)
    }
}

extension ObservableType {
    /// The same sequence, told on `scheduler`, with room for no more than `bufferSize` elements that wait.
    ///
    ///     source                                               --1234------|
    ///     observe(on: busy, bufferSize: 2, dropOldest)         --1----3--4-|
    ///     observe(on: busy, bufferSize: 2, dropNewest)         --1----2--3-|
    ///     observe(on: busy, bufferSize: 2, latest)             --1----4----|
    ///
    /// The thread that emits never waits; elements for which there is no room are dropped as `overflow` says and counted
    /// by `drops`. The end is never dropped, and follows what waits. For the rest it is ``ObservableType/observe(on:)``.
    @inlinable
    public func observe(
        on scheduler: any ImmediateSchedulerType, bufferSize: Int, overflow: OverflowRule, drops: DropCount? = nil
    ) -> Observable<Element> {
        precondition(bufferSize > 0, "a buffer holds at least one element, not \(bufferSize)")
        let upstream = asObservable()
        return .source(.observeOn) { sink in
            let waiting = WaitingElements<Element>(bufferSize, overflow, drops)
            return upstream.lift(.observeOn) { PutAsideSink(to: $0, waiting) }.observe(on: scheduler).run(
                FetchSink(to: sink, waiting))
        }
    }
}

/// The elements that wait. What travels to the scheduler instead of them is a call to fetch one.
@usableFromInline
final class WaitingElements<Element> {
    private let capacity: Int
    private let overflow: OverflowRule
    private let drops: DropCount?
    private let lock = Lock()
    // Below: behind the lock.
    @exclusivity(unchecked) private var elements = Ring<Element>()
    /// How many calls are on their way. One that finds nothing does nothing.
    @exclusivity(unchecked) private var calls = 0

    @usableFromInline
    init(_ capacity: Int, _ overflow: OverflowRule, _ drops: DropCount?) {
        self.capacity = capacity
        self.overflow = overflow
        self.drops = drops
    }

    /// - Returns: whether a call has to be sent.
    fileprivate func put(_ element: Element) -> Bool {
        // What makes room goes with this, outside the lock.
        var dropped = Ring<Element>()
        let (needsCall, count) = lock.locked { () -> (Bool, Int) in
            var count = 0
            if elements.count == capacity {
                switch overflow {
                case .dropNewest: return (false, 1)
                case .dropOldest:
                    dropped.append(elements.removeFirst())
                    count = 1
                case .latest:
                    count = elements.count
                    swap(&elements, &dropped)
                }
            }
            elements.append(element)
            guard calls < elements.count else { return (false, count) }
            calls += 1
            return (true, count)
        }
        if count > 0 { drops?.add(count) }
        return needsCall
    }

    /// Takes out what a call is for, into `room`.
    fileprivate func fetch(into room: inout Ring<Element>) {
        lock.locked {
            calls -= 1
            if !elements.isEmpty { room.append(elements.removeFirst()) }
        }
    }
}

@usableFromInline
final class PutAsideSink<Element>: OperatorSink<Element, Void> {
    private let waiting: WaitingElements<Element>

    @usableFromInline
    init(to downstream: Sink<Void>, _ waiting: WaitingElements<Element>) {
        self.waiting = waiting
        super.init(.observeOn, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        if live.isActive, waiting.put(element) { downstream.next(()) }
    }
}

@usableFromInline
final class FetchSink<Element>: OperatorSink<Void, Element> {
    private let waiting: WaitingElements<Element>
    @exclusivity(unchecked) private var fetched = Ring<Element>()

    @usableFromInline
    init(to downstream: Sink<Element>, _ waiting: WaitingElements<Element>) {
        self.waiting = waiting
        super.init(.observeOn, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Void) {
        waiting.fetch(into: &fetched)
        if !fetched.isEmpty { downstream.next(fetched.removeFirst()) }
    }
}
