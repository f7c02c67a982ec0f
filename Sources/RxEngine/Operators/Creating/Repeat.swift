extension ObservableType {
    /// Subscribes again each time the sequence completes, without end.
    ///
    ///     source      --1--|
    ///     repeat()    --1----1----1-->
    ///
    /// Never completes. Fails when the source fails. A source that completes inside `subscribe` is repeated in a loop,
    /// which only disposing ends.
    /// The thread that delivers the completion subscribes again; if another thread is still starting the run before,
    /// that one does.
    @inlinable
    public func `repeat`() -> Observable<Element> {
        RepeatObservable(asObservable(), count: nil, condition: nil)
    }

    /// Runs the sequence `count` times, one after the other.
    ///
    ///     source       --1--|
    ///     repeat(2)    --1----1--|
    ///
    /// Completes with the last run. Fails when the source fails.
    /// The thread that delivers the completion subscribes again; if another thread is still starting the run before,
    /// that one does.
    ///
    /// - Parameter count: the number of runs. With 0 the sequence completes at once. A negative number traps.
    @inlinable
    public func `repeat`(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "repeat(_:): the count must not be negative, but is \(count)")
        return RepeatObservable(asObservable(), count: count, condition: nil)
    }

    /// Subscribes again each time the sequence completes, as long as `condition` returns true then.
    ///
    ///     source              --1--|
    ///     repeat(while: …)    --1----1--|     true, then false
    ///
    /// Completes when `condition` returns false. Fails when the source fails, or with the error that `condition` throws.
    /// `condition` is called on the thread that delivers the completion, which also subscribes again.
    @preconcurrency
    @inlinable
    public func `repeat`(while condition: @escaping @Sendable () throws -> Bool) -> Observable<Element> {
        RepeatObservable(asObservable(), count: nil, condition: condition)
    }
}

// Unchecked: immutable until `deinit`.
@usableFromInline
final class RepeatObservable<Element>: SequentialObservable<Element>, @unchecked Sendable {
    private let count: Int?
    private let condition: (@Sendable () throws -> Bool)?

    @usableFromInline
    init(_ source: Observable<Element>, count: Int?, condition: (@Sendable () throws -> Bool)?) {
        self.count = count
        self.condition = condition
        super.init(.repeat, of: [source])
    }

    override func begin() -> (AnyObject?, NextSource) {
        if count == 0 { return (nil, RepeatNextSource(nil, 0, nil)) }
        return (parts.first, RepeatNextSource(parts.first, count.map { $0 - 1 }, condition))
    }
}

private final class RepeatNextSource: NextSource {
    private let source: AnyObject?
    /// The number of runs left; `nil` for no limit.
    @exclusivity(unchecked) private var count: Int?
    private let condition: (@Sendable () throws -> Bool)?

    init(_ source: AnyObject?, _ count: Int?, _ condition: (@Sendable () throws -> Bool)?) {
        self.source = source
        self.count = count
        self.condition = condition
    }

    override var isExhausted: Bool { count == 0 }

    override func source(after end: inout Termination) -> AnyObject? {
        guard case .completed = end, count != 0 else { return nil }
        count = count.map { $0 - 1 }
        guard let condition else { return source }
        do {
            return try condition() ? source : nil
        } catch {
            end = .error(Hooks.thrown(error, in: .repeat))
            return nil
        }
    }
}
