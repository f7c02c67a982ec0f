/// The last elements of a sequence, up to a number.
struct ReplayBuffer<Element> {
    private let capacity: Int
    private var ring: [Element] = []
    private var oldest = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Oldest first.
    var elements: [Element] {
        oldest == 0 ? ring : Array(ring[oldest...] + ring[..<oldest])
    }

    mutating func append(_ element: Element) {
        if ring.count < capacity {
            ring.append(element)
        } else if capacity > 0 {
            ring[oldest] = element
            oldest = (oldest + 1) % capacity
        }
    }

    mutating func removeAll() {
        ring = []
        oldest = 0
    }
}
