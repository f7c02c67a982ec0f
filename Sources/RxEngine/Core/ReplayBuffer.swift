/// The last elements of a sequence, up to a number.
///
/// It manages its memory itself: an array of a generic type would cost more to look up than the element to keep, and so
/// would a method of this type that is not inlined. What it gives up it hands to its caller, who holds a lock that no
/// element's deinitialiser may run under.
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

    /// Oldest first.
    var elements: [Element] {
        guard let storage else { return [] }
        return (0..<count).map { storage[(oldest + $0) % count] }
    }

    /// The same, in memory of its own.
    @inline(__always)
    var copies: Copies {
        guard let storage, count > 0 else { return Copies() }
        let copies = UnsafeMutablePointer<Element>.allocate(capacity: count)
        copies.initialize(from: storage + oldest, count: count - oldest)
        (copies + (count - oldest)).initialize(from: storage, count: oldest)
        return Copies(copies, count)
    }

    /// The element that came last. There must be one.
    @inline(__always)
    var newest: Element {
        guard let storage, count > 0 else { preconditionFailure("nothing is remembered") }
        return storage[oldest == 0 ? count - 1 : oldest - 1]
    }

    /// Adds an element. Where another has to go for it, that is moved to `evicted`.
    ///
    /// - Returns: whether one was.
    mutating func append(_ element: Element, evicting evicted: UnsafeMutablePointer<Element>) -> Bool {
        guard capacity > 0 else { return false }
        guard count == capacity, let storage else {
            if count == allocated { grow() }
            storage?.advanced(by: count).initialize(to: element)
            count += 1
            return false
        }
        evicted.moveInitialize(from: storage + oldest, count: 1)
        storage.advanced(by: oldest).initialize(to: element)
        oldest = oldest + 1 == capacity ? 0 : oldest + 1
        return true
    }

    /// Adds an element. Where another has to go for it, the two change places: the caller is left with what is to be
    /// let go of.
    @inline(__always)
    mutating func exchange(_ element: inout Element) {
        if count == capacity, let storage {
            swap(&storage[oldest], &element)
            oldest = oldest + 1 == capacity ? 0 : oldest + 1
        } else if capacity > 0 {
            if count == allocated { grow() }
            storage?.advanced(by: count).initialize(to: element)
            count += 1
        }
    }

    /// Empties the buffer.
    ///
    /// - Returns: what was in it, which goes when the returned object does.
    @inline(__always)
    mutating func takeAll() -> AnyObject? {
        storage == nil ? nil : reallyTakeAll()
    }

    @inline(never)
    private mutating func reallyTakeAll() -> AnyObject? {
        guard let storage else { return nil }
        defer { self = ReplayBuffer(capacity: capacity) }
        return Remains(storage, count)
    }

    /// Lets go of everything, at the end of the buffer's own life.
    @inline(__always)
    func destroy() {
        storage?.deinitialize(count: count)
        storage?.deallocate()
    }

    /// Until the buffer is full for the first time, its oldest element is at the start.
    private mutating func grow() {
        let size = min(capacity, max(4, allocated * 2))
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: size)
        if let storage {
            larger.moveInitialize(from: storage, count: count)
            storage.deallocate()
        }
        (storage, allocated) = (larger, size)
    }

    /// What was remembered at some time. Whoever has it lets go of it.
    struct Copies {
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

        /// Tells the elements, as far as it wants to hear them, and lets go of them.
        @inline(__always)
        func tell(to sink: Sink<Element>) {
            tell(to: sink) { sink.live.isActive }
        }

        /// Tells the elements and lets go of them.
        @inline(__always)
        func tell(to receiver: EventReceiver<Element>, while condition: () -> Bool = { true }) {
            guard let elements else { return }
            for index in 0..<count where condition() { receiver.next(elements[index]) }
            elements.deinitialize(count: count)
            elements.deallocate()
        }
    }

    private final class Remains {
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
