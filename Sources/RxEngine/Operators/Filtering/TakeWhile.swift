extension ObservableType {
    /// Emits elements while they satisfy `predicate`, and completes with the first that does not.
    ///
    ///     source                                              --1--2--3--1--|
    ///     take(while: { $0 < 3 })                             --1--2--|
    ///     take(while: { $0 < 3 }, behavior: .inclusive)       --1--2--3|
    ///
    /// Completes earlier if the source does. Fails with the source's error or with the error that `predicate` throws.
    /// `predicate` and the observer are called on the source's thread.
    ///
    /// - Parameters:
    ///   - predicate: whether to continue after an element.
    ///   - behavior: whether to emit the element that ends the sequence.
    @preconcurrency
    @inlinable
    public func take(
        while predicate: @escaping @Sendable (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Observable<Element> {
        asObservable().lift(.takeWhile) {
            ConditionalTakeSink(.takeWhile, to: $0, predicate, endsOn: false, behavior)
        }
    }

    /// Emits elements until one satisfies `predicate`, and completes with that one.
    ///
    ///     source                                              --1--2--3--1--|
    ///     take(until: { $0 == 3 })                            --1--2--|
    ///     take(until: { $0 == 3 }, behavior: .inclusive)      --1--2--3|
    ///
    /// Completes earlier if the source does. Fails with the source's error or with the error that `predicate` throws.
    /// `predicate` and the observer are called on the source's thread.
    ///
    /// - Parameters:
    ///   - predicate: whether an element ends the sequence.
    ///   - behavior: whether to emit the element that ends the sequence.
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
    private let endingResult: Bool
    private let behavior: TakeBehavior
    @exclusivity(unchecked) private var isOver = false

    @usableFromInline
    init(
        _ operation: Operator, to downstream: Sink<Element>, _ predicate: @escaping @Sendable (Element) throws -> Bool,
        endsOn endingResult: Bool, _ behavior: TakeBehavior
    ) {
        self.predicate = predicate
        self.endingResult = endingResult
        self.behavior = behavior
        super.init(operation, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        guard !isOver else { return }
        do {
            isOver = try predicate(element) == endingResult || isOver
        } catch {
            return downstream.error(Hooks.thrown(error, in: .takeWhile))
        }
        guard live.isActive else { return }
        if !isOver { return downstream.next(element) }
        if behavior == .inclusive { downstream.next(element) }
        if live.isActive { downstream.completed() }
    }
}
