/// A first-in, first-out queue that is a value: it can be copied and searched, which the engine's `RingBuffer` cannot.
///
/// Removing an element does not change the indices of the others.
///
/// - Complexity: Adding an element at the end and removing the first one take amortized constant time.
package struct Queue<Element> {
    /// A removed element becomes `nil` and is released at once; the array is compacted when half of it is empty.
    private var items: [Element?] = []
    /// How many of `items` were removed.
    private var head = 0
    /// The index of the first element: the number of elements that were removed.
    package private(set) var startIndex = 0

    package init(_ elements: some Sequence<Element>) {
        items = Array(elements)
    }

    package mutating func append(_ element: Element) {
        items.append(element)
    }

    /// Adds an element before the first one. Takes constant time after a removal.
    package mutating func prepend(_ element: Element) {
        startIndex -= 1
        guard head > 0 else { return items.insert(element, at: 0) }
        head -= 1
        items[head] = element
    }

    package mutating func popFirst() -> Element? {
        guard head < items.count else { return nil }
        let first = items[head].take()
        head += 1
        startIndex += 1
        if head == items.count {
            items.removeAll(keepingCapacity: items.capacity <= 1024)
            head = 0
        } else if head >= 64, head * 2 >= items.count {
            items.removeFirst(head)
            head = 0
        }
        return first
    }
}

extension Queue: RandomAccessCollection, MutableCollection {
    package var endIndex: Int { startIndex + items.count - head }

    package subscript(index: Int) -> Element {
        get {
            guard index >= startIndex, let element = items[head + index - startIndex] else {
                preconditionFailure("no element of the queue has the index \(index)")
            }
            return element
        }
        set {
            precondition(index >= startIndex, "no element of the queue has the index \(index)")
            items[head + index - startIndex] = newValue
        }
    }
}

extension Queue: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension Queue: Sendable where Element: Sendable {}
