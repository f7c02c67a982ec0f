/// A ring buffer of the last elements of a sequence.
///
/// Unlike a ``RingBuffer``, it is never larger than its capacity, replaces its oldest element, and keeps its elements.
/// It manages its memory itself: an array of a generic type would cost more to look up than the element to store, and
/// so would a method of this type that is not inlined. It returns evicted elements to its caller, who holds a lock
/// under which no element may be deinitialized.
struct ReplayBuffer<Element> {
    private let capacity: Int
    private var storage: UnsafeMutablePointer<Element>?
    private var allocated = 0
    private var count = 0
    private var oldest = 0

    @inline(__always)
    init(capacity: Int) {
        self.capacity = capacity
    }

    @inline(__always)
    var isEmpty: Bool { count == 0 }

    /// The elements, oldest first.
    var elements: [Element] {
        guard let storage else { return [] }
        return (0..<count).map { storage[(oldest + $0) % count] }
    }

    /// A copy of the elements, oldest first.
    @inline(__always)
    var snapshot: Snapshot {
        guard let storage, count > 0 else { return Snapshot() }
        let copies = UnsafeMutablePointer<Element>.allocate(capacity: count)
        copies.initialize(from: storage + oldest, count: count - oldest)
        (copies + (count - oldest)).initialize(from: storage, count: oldest)
        return Snapshot(copies, count)
    }

    /// The element that was added last. Traps if the buffer is empty.
    @inline(__always)
    var newest: Element {
        guard let storage, count > 0 else { preconditionFailure("the replay buffer is empty") }
        return storage[oldest == 0 ? count - 1 : oldest - 1]
    }

    /// Adds an element. If the buffer is full, `element` becomes the evicted oldest one, for the caller to release.
    @inline(__always)
    mutating func exchange(_ element: inout Element) {
        if count == capacity, let storage {
            (storage + oldest).exchange(with: &element)
            oldest = oldest + 1 == capacity ? 0 : oldest + 1
        } else if capacity > 0 {
            if count == allocated { grow() }
            storage?.advanced(by: count).initialize(to: element)
            count += 1
        }
        checkInvariants()
    }

    /// Empties the buffer.
    ///
    /// - Returns: an object that holds the elements, for the caller to release; `nil` if the buffer never had any.
    @inline(__always)
    mutating func takeAll() -> AnyObject? {
        storage == nil ? nil : takeAllocated()
    }

    @inline(never)
    private mutating func takeAllocated() -> AnyObject? {
        guard let storage else { return nil }
        defer {
            self = ReplayBuffer(capacity: capacity)
            checkInvariants()
        }
        return RetiredElements(storage, count)
    }

    /// Releases the elements and the memory. The buffer must not be used afterwards.
    @inline(__always)
    func destroy() {
        storage?.deinitialize(count: count)
        storage?.deallocate()
    }

    /// Allocates more memory. Until the buffer is full for the first time, its oldest element is at the start.
    private mutating func grow() {
        let size = min(capacity, max(4, allocated * 2))
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: size)
        if let storage {
            larger.moveInitialize(from: storage, count: count)
            storage.deallocate()
        }
        (storage, allocated) = (larger, size)
    }

    /// Traps in a debug build if the state is inconsistent.
    @inline(__always)
    func checkInvariants() {
        #if DEBUG
        precondition((storage == nil) == (allocated == 0), "the storage of a replay buffer does not match `allocated`")
        precondition(count <= allocated && allocated <= capacity, "a replay buffer has more elements than memory")
        precondition(
            count == capacity ? oldest < max(1, capacity) : oldest == 0,
            "a replay buffer that is not full does not begin with its oldest element")
        #endif
    }

    /// A copy of the buffer's elements. Its holder must call one `deliver` method once, which also releases them.
    struct Snapshot {
        private let elements: UnsafeMutablePointer<Element>?
        private let count: Int

        @inline(__always)
        init() {
            elements = nil
            count = 0
        }

        @inline(__always)
        fileprivate init(_ elements: UnsafeMutablePointer<Element>, _ count: Int) {
            self.elements = elements
            self.count = count
        }

        /// Delivers the elements until the sink's run is over, and releases them all.
        @inline(__always)
        func deliver(to sink: Sink<Element>) {
            deliver(to: sink) { sink.live.isActive }
        }

        /// Delivers the elements while `condition` holds, and releases them all.
        @inline(__always)
        func deliver(to receiver: EventReceiver<Element>, while condition: () -> Bool = { true }) {
            guard let elements else { return }
            for index in 0..<count where condition() { receiver.next(elements[index]) }
            elements.deinitialize(count: count)
            elements.deallocate()
        }
    }

    /// Elements that are released with the object.
    private final class RetiredElements {
        private let storage: UnsafeMutablePointer<Element>
        private let count: Int

        init(_ storage: UnsafeMutablePointer<Element>, _ count: Int) {
            self.storage = storage
            self.count = count
        }

        deinit {
            storage.deinitialize(count: count)
            storage.deallocate()
        }
    }
}
