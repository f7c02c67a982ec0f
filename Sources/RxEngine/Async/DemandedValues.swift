/// The elements of a sequence, which count in a ``Demand`` until the iteration takes them.
///
/// ``ObservableConvertibleType/values(demand:bufferingPolicy:)`` returns it, and so do the methods of that name of
/// ``InfallibleType`` and ``SharedSequence``, whose iteration throws nothing. Releasing it disposes the subscription.
public struct DemandedValues<Base: AsyncSequence>: AsyncSequence {
    /// The type of the elements.
    public typealias Element = Base.Element
    /// The errors that the iteration throws: those of the sequence and `CancellationError`, or none if it cannot fail.
    public typealias Failure = Base.Failure

    private let base: Base
    private let share: DemandShare

    init(_ base: Base, _ share: DemandShare) {
        self.base = base
        self.share = share
    }

    /// Makes the iterator. One task at a time may iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), share: share)
    }

    /// The iterator of the elements.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var base: Base.AsyncIterator
        fileprivate let share: DemandShare

        /// Takes the next element, which is no longer in flight then; `nil` when the sequence has completed.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(Failure) -> Element? {
            let element = try await base.next(isolation: actor)
            if element != nil { share.remove() }
            return element
        }

        /// Takes the next element, which is no longer in flight then; `nil` when the sequence has completed.
        public mutating func next() async throws(Failure) -> Element? {
            try await next(isolation: nil)
        }
    }
}

extension DemandedValues: Sendable where Base: Sendable {}
