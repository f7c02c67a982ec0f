extension ObservableType {
    /// The elements in arrays of `count`, a new one beginning every `skip` elements.
    ///
    ///     source                        --1-2-3-4-5-6-|
    ///     buffer(count: 2)              ----12--34--56|
    ///     buffer(count: 3, skip: 1)     ------123-234-345-456(56)(6)|
    ///     buffer(count: 1, skip: 3)     --1-----4-----|
    ///
    /// Where `skip` is less than `count` they overlap, and where it is more some elements are in none. It is `count` if
    /// left out. The source's completion brings those that have begun; an error drops them.
    @inlinable
    public func buffer(count: Int, skip: Int? = nil) -> Observable<[Element]> {
        let skip = skip ?? count
        precondition(count > 0, "a buffer holds at least one element, not \(count)")
        precondition(skip > 0, "the next buffer begins at least one element later, not \(skip)")
        let batching = Batching<Element>(count: count, skip: skip)
        return asObservable().lift(.buffer, with: batching) { BatchSink(to: $1, $0) }
    }
}

@usableFromInline
final class BatchSink<Element>: OperatorSink<Element, [Element]> {
    private let batching: Batching<Element>
    /// The elements from the beginning of the oldest array that is not full.
    @exclusivity(unchecked) private var elements: [Element] = []
    /// How many elements are still to come that are in no array.
    @exclusivity(unchecked) private var gap = 0

    @usableFromInline
    init(to downstream: Sink<[Element]>, _ batching: Batching<Element>) {
        self.batching = batching
        super.init(.buffer, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        if gap > 0 { return gap -= 1 }
        guard let full = batching.take(&elements, element) else { return }
        gap = max(0, batching.skip - batching.count)
        downstream.next(full)
    }

    @usableFromInline
    override func completed() {
        while live.isActive, let begun = batching.takeBegun(&elements) { downstream.next(begun) }
        if live.isActive { downstream.completed() }
    }
}

/// What becomes of the elements of a batch: compiled for their type where it is written, which a sink is not.
@usableFromInline
struct Batching<Element> {
    @usableFromInline let count: Int
    @usableFromInline let skip: Int
    /// Adds an element; the array that it fills.
    @usableFromInline let take: (inout [Element], Element) -> [Element]?
    /// The next of those that have begun, at the end.
    @usableFromInline let takeBegun: (inout [Element]) -> [Element]?

    @inlinable
    init(count: Int, skip: Int) {
        self.count = count
        self.skip = skip
        take = { elements, element in
            elements.append(element)
            guard elements.count == count else { return nil }
            let full = elements
            if skip < count { elements.removeFirst(skip) } else { elements = [] }
            return full
        }
        takeBegun = { elements in
            guard !elements.isEmpty else { return nil }
            let begun = elements
            elements.removeFirst(min(skip, elements.count))
            return begun
        }
    }
}
