extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Runs closures beside the outcome, in the order of their names; an error that one throws takes its place.
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

    /// This and then, once it is done, `second`.
    ///
    ///     source    ---|
    ///     second       --|
    ///     concat    -----|
    @inlinable
    public func concat(_ second: Completable) -> Completable {
        Completable(raw: source.concat(second.source))
    }

    /// These, one after the other; each is taken from the sequence when the one before is done.
    @inlinable
    public static func concat<Sources: Swift.Sequence>(_ sequence: Sources) -> Completable
    where Sources.Element == Completable {
        Completable(raw: .concat(sequence.lazy.map(\.source)))
    }

    /// These, one after the other.
    @inlinable
    public static func concat<Sources: Swift.Collection>(_ collection: Sources) -> Completable
    where Sources.Element == Completable {
        Completable(raw: .concat(collection.map(\.source)))
    }

    /// These, one after the other.
    @inlinable
    public static func concat(_ sources: Completable...) -> Completable {
        concat(sources)
    }

    /// All of these at once: done when all are, at once if there are none. The first error ends it.
    ///
    ///     first     ---|
    ///     second    -----|
    ///     zip       -----|
    @inlinable
    public static func zip<Sources: Swift.Collection>(_ sources: Sources) -> Completable
    where Sources.Element == Completable {
        zip(Array(sources))
    }

    /// All of these at once: done when all are, at once if there are none. The first error ends it.
    @inlinable
    public static func zip(_ sources: [Completable]) -> Completable {
        Completable(raw: .merge(sources.map(\.source)))
    }

    /// All of these at once: done when all are. The first error ends it.
    @inlinable
    public static func zip(_ sources: Completable...) -> Completable {
        zip(sources)
    }
}
