extension ObservableType {
    /// Lets elements through while they satisfy `predicate`, and ends with the first that does not: without it, or,
    /// where `behavior` is `inclusive`, after it. An error thrown by the closure ends the sequence.
    ///
    ///     source                                              --1--2--3--1--|
    ///     take(while: { $0 < 3 })                             --1--2--|
    ///     take(while: { $0 < 3 }, behavior: .inclusive)       --1--2--3|
    @preconcurrency
    @inlinable
    public func take(
        while predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Observable<Element> {
        asObservable().lift(.takeWhile) {
            ConditionalTakeSink(.takeWhile, to: $0, predicate, endsOn: false, behavior)
        }
    }

    /// Lets elements through until one satisfies `predicate`, and ends with that: without it, or, where `behavior` is
    /// `inclusive`, after it. An error thrown by the closure ends the sequence.
    ///
    ///     source                                              --1--2--3--1--|
    ///     take(until: { $0 == 3 })                            --1--2--|
    ///     take(until: { $0 == 3 }, behavior: .inclusive)      --1--2--3|
    @preconcurrency
    @inlinable
    public func take(
        until predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Observable<Element> {
        asObservable().lift(.takeUntil) {
            ConditionalTakeSink(.takeUntil, to: $0, predicate, endsOn: true, behavior)
        }
    }
}

@usableFromInline
final class ConditionalTakeSink<Element>: OperatorSink<Element, Element> {
    private let predicate: @Sendable (Element) throws -> Bool
    private let endingAnswer: Bool
    private let behavior: TakeBehavior
    @exclusivity(unchecked) private var isOver = false

    @usableFromInline
    init(
        _ operation: Operator, to downstream: Sink<Element>, _ predicate: @escaping @Sendable (Element) throws -> Bool,
        endsOn endingAnswer: Bool, _ behavior: TakeBehavior
    ) {
        self.predicate = predicate
        self.endingAnswer = endingAnswer
        self.behavior = behavior
        super.init(operation, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard !isOver else { return }
        do {
            isOver = try predicate(element) == endingAnswer || isOver
        } catch {
            return downstream.error(error)
        }
        guard live.isActive else { return }
        if !isOver { return downstream.next(element) }
        if behavior == .inclusive { downstream.next(element) }
        if live.isActive { downstream.completed() }
    }
}
