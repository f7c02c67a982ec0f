extension ObservableType {
    /// Continues with the sequence that `handler` makes of the error when this one fails.
    ///
    ///     self                --1--2--X
    ///     handler(X)                  .--8--|
    ///     catch               --1--2-----8--|
    ///
    /// Completes when either sequence completes. Fails with the error that `handler` throws, or with the error of the
    /// sequence that it returned.
    /// The thread that delivers the error calls `handler` and subscribes to its sequence; if another thread is still
    /// starting the source, that one subscribes.
    @preconcurrency
    @inlinable
    public func `catch`(
        _ handler: @escaping @Sendable (any Swift.Error) throws -> Observable<Element>
    ) -> Observable<Element> {
        CatchObservable(asObservable(), handler)
    }
}

// Unchecked: immutable until `deinit`.
@usableFromInline
final class CatchObservable<Element>: SequentialObservable<Element>, @unchecked Sendable {
    private let handler: @Sendable (any Error) throws -> AnyObject

    @usableFromInline
    init(_ source: Observable<Element>, _ handler: @escaping @Sendable (any Error) throws -> Observable<Element>) {
        self.handler = handler
        super.init(.catchError, of: [source])
    }

    override func begin() -> (AnyObject?, NextSource) {
        (parts.first, CatchNextSource(handler))
    }
}

private final class CatchNextSource: NextSource {
    @exclusivity(unchecked) private var handler: (@Sendable (any Error) throws -> AnyObject)?

    init(_ handler: @escaping @Sendable (any Error) throws -> AnyObject) {
        self.handler = handler
    }

    override var isExhausted: Bool { handler == nil }

    override func source(after end: inout Termination) -> AnyObject? {
        guard case .error(let error) = end, let handler = handler.take() else { return nil }
        do {
            return try handler(error)
        } catch {
            end = .error(Hooks.thrown(error, in: .catchError))
            return nil
        }
    }
}
