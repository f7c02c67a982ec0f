extension ObservableType {
    /// Subscribes again each time the sequence fails, until it completes.
    ///
    ///     self        --1--X
    ///     retry()     --1----1----1----1-->
    ///
    /// Completes when the source completes, and never fails. If the source fails inside `subscribe`, it is retried in a
    /// loop, which only disposing ends.
    /// The thread that delivers the error subscribes again; if another thread is still starting the failed attempt,
    /// that one does.
    @inlinable
    public func retry() -> Observable<Element> {
        RetryObservable(asObservable(), attempts: nil)
    }

    /// Subscribes again each time the sequence fails, up to `maxAttemptCount` attempts in all.
    ///
    ///     self        --1--X
    ///     retry(2)    --1----1--X
    ///
    /// Completes when the source completes. Fails with the error of the last attempt.
    /// The thread that delivers the error subscribes again; if another thread is still starting the failed attempt,
    /// that one does.
    ///
    /// - Parameter maxAttemptCount: the number of attempts, including the first. With 0 the sequence completes at once,
    ///   without subscribing to the source. A negative number traps.
    @inlinable
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
        precondition(
            maxAttemptCount >= 0, "retry(_:): the number of attempts must not be negative, but is \(maxAttemptCount)")
        return RetryObservable(asObservable(), attempts: maxAttemptCount)
    }
}

// Unchecked: immutable until `deinit`.
@usableFromInline
final class RetryObservable<Element>: SequentialObservable<Element>, @unchecked Sendable {
    private let attempts: Int?

    @usableFromInline
    init(_ source: Observable<Element>, attempts: Int?) {
        self.attempts = attempts
        super.init(.retry, of: [source])
    }

    override func begin() -> (AnyObject?, NextSource) {
        if attempts == 0 { return (nil, RetryNextSource(nil, 0)) }
        return (parts.first, RetryNextSource(parts.first, attempts.map { $0 - 1 }))
    }
}

private final class RetryNextSource: NextSource {
    private let source: AnyObject?
    /// The number of attempts left; `nil` for no limit.
    @exclusivity(unchecked) private var attempts: Int?

    init(_ source: AnyObject?, _ attempts: Int?) {
        self.source = source
        self.attempts = attempts
    }

    override var isExhausted: Bool { attempts == 0 }

    override func source(after end: inout Termination) -> AnyObject? {
        guard case .error = end, attempts != 0 else { return nil }
        attempts = attempts.map { $0 - 1 }
        return source
    }
}
