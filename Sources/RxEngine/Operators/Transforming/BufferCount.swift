extension ObservableType {
    /// Emits the elements in arrays of `count`, and starts a new array every `skip` elements.
    ///
    ///     source                        --1-2-3-4-5-6-|
    ///     buffer(count: 2)              ----12--34--56|
    ///     buffer(count: 3, skip: 1)     ------123-234-345-456(56)(6)|
    ///     buffer(count: 1, skip: 3)     --1-----4-----|
    ///
    /// Arrays overlap if `skip` is less than `count`. If it is greater, the elements between two arrays are dropped.
    /// Completes when the source completes, after the arrays that have started, oldest first. Fails with the source's
    /// error and drops those arrays.
    /// The observer is called on the source's thread.
    ///
    /// - Parameters:
    ///   - count: the number of elements in a full array. A count that is not positive traps.
    ///   - skip: the number of elements from the start of an array to the start of the next (default: `count`). A
    ///     number that is not positive traps.
    /// - Complexity: O(*count*) for each array, and constant for the elements between; holds up to `count` elements.
    @inlinable
    public func buffer(count: Int, skip: Int? = nil) -> Observable<[Element]> {
        let skip = skip ?? count
        precondition(count > 0, "buffer(count:skip:): the count must be positive, but is \(count)")
        precondition(skip > 0, "buffer(count:skip:): skip must be positive, but is \(skip)")
        let batching = Batching<Element>(count: count, skip: skip)
        return asObservable().lift(.buffer, with: batching) { BufferCountSink(to: $1, $0) }
    }
}

@usableFromInline
final class BufferCountSink<Element>: OperatorSink<Element, [Element]> {
    private let batching: Batching<Element>
    /// The elements since the start of the oldest array that is not full.
    @exclusivity(unchecked) private var elements: [Element] = []
    /// The number of elements still to drop before the next array starts.
    @exclusivity(unchecked) private var skipCount = 0

    @usableFromInline
    init(to downstream: Sink<[Element]>, _ batching: Batching<Element>) {
        self.batching = batching
        super.init(.buffer, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        if skipCount > 0 { return skipCount -= 1 }
        guard let full = batching.add(&elements, element) else { return }
        skipCount = max(0, batching.skip - batching.count)
        downstream.next(full)
    }

    @usableFromInline
    override func completed() {
        while live.isActive, let started = batching.takeStarted(&elements) { downstream.next(started) }
        if live.isActive { downstream.completed() }
    }
}

/// The state transitions of ``BufferCountSink``, as closures made where the element type is known: they are specialized for
/// it, which the sink's own methods are not.
@usableFromInline
struct Batching<Element> {
    @usableFromInline let count: Int
    @usableFromInline let skip: Int
    /// Adds an element and returns the array that it fills, if any.
    @usableFromInline let add: (inout [Element], Element) -> [Element]?
    /// Returns the next array that has started, when the source has completed.
    @usableFromInline let takeStarted: (inout [Element]) -> [Element]?

    @inlinable
    init(count: Int, skip: Int) {
        self.count = count
        self.skip = skip
        add = { elements, element in
            // Not more at once: the source may end long before a large array is full.
            if elements.isEmpty { elements.reserveCapacity(min(count, 64)) }
            elements.append(element)
            guard elements.count == count else { return nil }
            let full = elements
            elements = []
            guard skip < count else { return full }
            elements.reserveCapacity(count)
            // Not `append(contentsOf:)`, which takes twice the instructions.
            for index in skip..<count { elements.append(full[index]) }
            return full
        }
        takeStarted = { elements in
            guard !elements.isEmpty else { return nil }
            let started = elements
            elements.removeFirst(min(skip, elements.count))
            return started
        }
    }
}
