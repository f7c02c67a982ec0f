extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Runs closures before and after the outcome is delivered, on the thread that delivers it.
    ///
    /// The closures run in the order of their names. An error that one of them throws replaces the outcome.
    /// Those of `afterError` and `afterCompleted` are ignored: the outcome was delivered by then.
    ///
    /// - Parameters:
    ///   - onError: runs before the error is delivered.
    ///   - afterError: runs after the error was delivered.
    ///   - onCompleted: runs before the completion is delivered.
    ///   - afterCompleted: runs after the completion was delivered.
    ///   - onSubscribe: runs before a run starts.
    ///   - onSubscribed: runs after a run has started.
    ///   - onDispose: runs when a run has ended or was disposed.
    @preconcurrency
    @inlinable
    public func `do`(
        onError: (@Sendable (any Swift.Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Swift.Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil,
        afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Completable {
        Completable(
            raw: source.do(
                onError: onError, afterError: afterError, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Subscribes to `second` when this sequence completes, and completes with it.
    ///
    ///     source    ---|
    ///     second       --|
    ///     concat    -----|
    ///
    /// The first error fails the result; the completables after it are not subscribed to.
    /// The thread on which this sequence completes subscribes to `second`.
    @inlinable
    public func concat(_ second: Completable) -> Completable {
        Completable(raw: source.concat(second.source))
    }

    /// Subscribes to each completable when the one before has completed, and completes with the last.
    ///
    /// The next completable is pulled from `sequence` only then. The first error fails the result.
    /// The thread on which a completable completes subscribes to the next one.
    @inlinable
    public static func concat(_ sequence: some Swift.Sequence<Completable>) -> Completable {
        Completable(raw: .concat(sequence.lazy.map(\.source)))
    }

    /// Subscribes to each completable when the one before has completed, and completes with the last.
    ///
    /// The first error fails the result; the completables after it are not subscribed to.
    /// The thread on which a completable completes subscribes to the next one.
    @inlinable
    public static func concat(_ collection: some Swift.Collection<Completable>) -> Completable {
        Completable(raw: .concat(collection.map(\.source)))
    }

    /// Subscribes to each completable when the one before has completed, and completes with the last.
    ///
    /// The first error fails the result; the completables after it are not subscribed to.
    /// The thread on which a completable completes subscribes to the next one.
    @inlinable
    public static func concat(_ sources: Completable...) -> Completable {
        concat(sources)
    }

    /// Subscribes to all completables at once and completes when all have completed.
    ///
    ///     first     ---|
    ///     second    -----|
    ///     zip       -----|
    ///
    /// An empty collection completes inside `subscribe`. The first error fails the result and disposes the others.
    /// The outcome is delivered on a thread of one of them.
    @inlinable
    public static func zip(_ sources: some Swift.Collection<Completable>) -> Completable {
        zip(Array(sources))
    }

    /// Subscribes to all completables at once and completes when all have completed.
    ///
    /// An empty array completes inside `subscribe`. The first error fails the result and disposes the others.
    /// The outcome is delivered on a thread of one of them.
    @inlinable
    public static func zip(_ sources: [Completable]) -> Completable {
        Completable(raw: .merge(sources.map(\.source)))
    }

    /// Subscribes to all completables at once and completes when all have completed.
    ///
    /// The first error fails the result and disposes the others.
    /// The outcome is delivered on a thread of one of them.
    @inlinable
    public static func zip(_ sources: Completable...) -> Completable {
        zip(sources)
    }
}
