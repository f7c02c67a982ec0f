/// A FIFO queue that reuses its memory. Its memory grows with the number of elements, and never shrinks.
///
/// It manages its memory itself: in unspecialized code, an array of a generic type would cost more than the element.
/// Removing an element releases nothing, so code that a `deinit` runs may use the queue again. It is usable from inline
/// code, so that the package's other modules have it specialized for their elements.
@usableFromInline
package struct RingBuffer<Element>: ~Copyable {
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
        guard let storage, count > 0 else { preconditionFailure("the ring buffer is empty") }
        return storage[head]
    }

    /// Removes the oldest element and returns it. There must be one.
    @inlinable @inline(__always)
    package mutating func removeFirst() -> Element {
        guard let storage, count > 0 else { preconditionFailure("the ring buffer is empty") }
        let first = storage + head
        head = (head + 1) & (capacity - 1)
        count -= 1
        return first.move()
    }

    /// Removes all elements and returns them, oldest first.
    @inlinable
    package mutating func removeAll() -> [Element] {
        guard count > 0 else { return [] }
        return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let start = buffer.baseAddress else { return }
            initialized = moveAll(to: start)
        }
    }

    /// Returns the results of `transform` for each element, oldest first.
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
