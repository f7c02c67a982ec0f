extension ObservableType {
    /// This sequence, and where it fails, the sequence that `handler` makes of the error.
    ///
    ///     self                --1--2--X
    ///     what it makes               .--8--|
    ///     catch               --1--2-----8--|
    ///
    /// An error thrown by `handler` takes the place of the one it was given. The error of what it made ends the
    /// sequence.
    @preconcurrency
    @inlinable
    public func `catch`(
        _ handler: @escaping @Sendable (any Swift.Error) throws -> Observable<Element>
    ) -> Observable<Element> {
        CatchObservable(asObservable(), handler)
    }
}

// Unchecked: immutable until it goes.
@usableFromInline
final class CatchObservable<Element>: SequentialObservable<Element>, @unchecked Sendable {
    private let handler: @Sendable (any Error) throws -> AnyObject

    @usableFromInline
    init(_ source: Observable<Element>, _ handler: @escaping @Sendable (any Error) throws -> Observable<Element>) {
        self.handler = handler
        super.init(.catchError, of: [source])
    }

    override func begin() -> (AnyObject?, Sequel) {
        (parts.first, CatchSequel(handler))
    }
}

private final class CatchSequel: Sequel {
    @exclusivity(unchecked) private var handler: (@Sendable (any Error) throws -> AnyObject)?

    init(_ handler: @escaping @Sendable (any Error) throws -> AnyObject) {
        self.handler = handler
    }

    override var isSpent: Bool { handler == nil }

    override func source(after end: inout Termination) -> AnyObject? {
        guard case .error(let error) = end, let handler = handler.take() else { return nil }
        do {
            return try handler(error)
        } catch {
            end = .error(error)
            return nil
        }
    }
}
