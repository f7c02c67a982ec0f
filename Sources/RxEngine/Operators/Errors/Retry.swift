extension ObservableType {
    /// This sequence, subscribed to again each time it fails, until it completes.
    ///
    ///     self        --1--X
    ///     retry()     --1----1----1----1-->
    ///
    /// A sequence that fails inside `subscribe` is retried in a loop, which only disposing ends.
    @inlinable
    public func retry() -> Observable<Element> {
        RetryObservable(asObservable(), attempts: nil)
    }

    /// This sequence, subscribed to `maxAttemptCount` times in all if it keeps failing. The last error ends it.
    ///
    ///     self        --1--X
    ///     retry(2)    --1----1--X
    ///
    /// A count of 0 makes an empty sequence.
    @inlinable
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
        precondition(maxAttemptCount >= 0, "a sequence is tried a number of times, not \(maxAttemptCount)")
        return RetryObservable(asObservable(), attempts: maxAttemptCount)
    }
}

// Unchecked: immutable until it goes.
@usableFromInline
final class RetryObservable<Element>: SequentialObservable<Element>, @unchecked Sendable {
    private let attempts: Int?

    @usableFromInline
    init(_ source: Observable<Element>, attempts: Int?) {
        self.attempts = attempts
        super.init(.retry, of: [source])
    }

    override func begin() -> (AnyObject?, Sequel) {
        if attempts == 0 { return (nil, RetrySequel(nil, 0)) }
        return (parts.first, RetrySequel(parts.first, attempts.map { $0 - 1 }))
    }
}

private final class RetrySequel: Sequel {
    private let source: AnyObject?
    /// How many attempts are left; `nil` where there is no end to them.
    @exclusivity(unchecked) private var attempts: Int?

    init(_ source: AnyObject?, _ attempts: Int?) {
        self.source = source
        self.attempts = attempts
    }

    override var isSpent: Bool { attempts == 0 }

    override func source(after end: inout Termination) -> AnyObject? {
        guard case .error = end, attempts != 0 else { return nil }
        attempts = attempts.map { $0 - 1 }
        return source
    }
}
