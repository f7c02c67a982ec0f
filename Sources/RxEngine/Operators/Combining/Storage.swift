// Where operators keep elements. These manage their memory themselves: an optional or an array of a generic type would
// cost unspecialised code more than the element.

/// Room for one element.
struct Room<Element>: ~Copyable {
    private let storage = UnsafeMutablePointer<Element>.allocate(capacity: 1)
    private(set) var isEmpty = true

    init() {}

    deinit {
        if !isEmpty { storage.deinitialize(count: 1) }
        storage.deallocate()
    }

    /// Where the element is, when there is one.
    var place: UnsafePointer<Element> { UnsafePointer(storage) }

    /// The element. There must be one.
    @inline(__always)
    var element: Element { storage.pointee }

    /// Keeps `element` and lets go of the one before.
    @inline(__always)
    mutating func put(_ element: Element) {
        if !isEmpty { return storage.pointee = element }
        storage.initialize(to: element)
        isEmpty = false
    }

    /// Keeps `element`, and leaves the one before in its place: whoever holds a lock must not let go of it.
    @inline(__always)
    mutating func exchange(_ element: inout Element) {
        if !isEmpty { return swap(&storage.pointee, &element) }
        storage.initialize(to: element)
        isEmpty = false
    }

    /// The element, which is then gone. There must be one.
    @inline(__always)
    mutating func take() -> Element {
        precondition(!isEmpty, "nothing is there to take")
        isEmpty = true
        return storage.move()
    }

    /// Lets go of the element.
    mutating func clear() {
        guard !isEmpty else { return }
        isEmpty = true
        storage.deinitialize(count: 1)
    }
}

/// A queue that reuses its memory.
///
/// It is usable from inline code so that the package's other modules have it specialized for their elements.
@usableFromInline
package struct Ring<Element>: ~Copyable {
    @usableFromInline
    var storage: UnsafeMutablePointer<Element>?
    /// A power of two, or zero.
    @usableFromInline
    package var capacity = 0
    @usableFromInline
    var head = 0
    @usableFromInline
    package var count = 0

    @inlinable
    package init() {}

    @inlinable
    deinit {
        guard let storage else { return }
        let upToEnd = min(count, capacity - head)
        (storage + head).deinitialize(count: upToEnd)
        storage.deinitialize(count: count - upToEnd)
        storage.deallocate()
    }

    @inlinable @inline(__always)
    package var isEmpty: Bool { count == 0 }

    @inlinable @inline(__always)
    package mutating func append(_ element: Element) {
        if count == capacity { grow() }
        guard let storage else { return }
        (storage + (head + count) & (capacity - 1)).initialize(to: element)
        count += 1
    }

    /// The oldest element. There must be one.
    var first: Element {
        guard let storage, count > 0 else { preconditionFailure("nothing is waiting") }
        return storage[head]
    }

    /// The oldest element, which is then gone. There must be one.
    @inlinable @inline(__always)
    package mutating func removeFirst() -> Element {
        guard let storage, count > 0 else { preconditionFailure("nothing is waiting") }
        let first = storage + head
        head = (head + 1) & (capacity - 1)
        count -= 1
        return first.move()
    }

    /// All elements, oldest first, which are then gone.
    @inlinable
    package mutating func removeAll() -> [Element] {
        guard count > 0 else { return [] }
        return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            initialized = moveAll(to: start)
        }
    }

    /// What `transform` makes of each element, oldest first.
    @inlinable
    package func map<Value>(_ transform: (Element) -> Value) -> [Value] {
        guard let storage else { return [] }
        return (0..<count).map { transform(storage[(head + $0) & (capacity - 1)]) }
    }

    @inlinable
    mutating func moveAll(to target: UnsafeMutablePointer<Element>) -> Int {
        guard let storage else { return 0 }
        let moved = count
        let upToEnd = min(count, capacity - head)
        target.moveInitialize(from: storage + head, count: upToEnd)
        (target + upToEnd).moveInitialize(from: storage, count: count - upToEnd)
        head = 0
        count = 0
        return moved
    }

    @inlinable @inline(never)
    mutating func grow() {
        let size = max(4, capacity * 2)
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: size)
        let moved = moveAll(to: larger)
        storage?.deallocate()
        storage = larger
        capacity = size
        count = moved
    }
}
