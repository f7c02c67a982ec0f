/// The last elements of a sequence, up to a number.
///
/// It manages its memory itself: an array of a generic type would cost more to look up than the element to keep. What it
/// gives up it hands to its caller, who holds a lock that no element's deinitialiser may run under.
struct ReplayBuffer<Element> {
    private let capacity: Int
    private var storage: UnsafeMutablePointer<Element>?
    private var allocated = 0
    private var count = 0
    private var oldest = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Oldest first.
    var elements: [Element] {
        guard let storage else { return [] }
        return (0..<count).map { storage[(oldest + $0) % count] }
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

    /// Empties the buffer.
    ///
    /// - Returns: what was in it, which goes when the returned object does.
    mutating func takeAll() -> AnyObject? {
        guard let storage else { return nil }
        defer { self = ReplayBuffer(capacity: capacity) }
        return Remains(storage, count)
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
