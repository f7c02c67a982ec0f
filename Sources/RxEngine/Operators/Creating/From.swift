extension ObservableType {
    /// An observable of these elements: each is a turn of `scheduler`, and the end is another.
    ///
    ///     of(a, b, c)     a-b-c-|
    public static func of(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        from(elements, scheduler: scheduler)
    }

    /// An observable of an array's elements: each is a turn of `scheduler`, and the end is another.
    public static func from(
        _ array: [Element], scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> {
        elements(of: array, scheduler)
    }

    /// An observable of a sequence's elements, pulled one at a time by an iterator of each run's own.
    public static func from<Elements: Sequence>(
        _ sequence: Elements, scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> where Elements.Element == Element {
        elements(of: sequence, scheduler)
    }

    private static func elements<Elements: Sequence>(
        of sequence: Elements, _ scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> where Elements.Element == Element {
        .source { sink in
            IteratorRun(sequence.makeIterator(), into: sink).schedule(on: scheduler)
        }
    }
}

// Unchecked: the turns follow one another.
/// One run over an iterator.
private final class IteratorRun<Iterator: IteratorProtocol>: TurnByTurn, @unchecked Sendable {
    private var iterator: Iterator
    private let sink: Sink<Iterator.Element>

    init(_ iterator: Iterator, into sink: Sink<Iterator.Element>) {
        self.iterator = iterator
        self.sink = sink
    }

    override func turn() -> Bool {
        guard sink.live.isActive else { return false }
        guard let element = iterator.next() else {
            sink.completed()
            return false
        }
        sink.next(element)
        return sink.live.isActive
    }
}
