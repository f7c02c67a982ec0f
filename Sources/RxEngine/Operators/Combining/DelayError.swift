/// The errors of several sequences that ran to their ends.
public struct CompositeError: Error, CustomStringConvertible {
    /// The errors, in the order in which they occurred.
    public let errors: [any Error]

    /// Creates an error of several.
    public init(_ errors: [any Error]) {
        self.errors = errors
    }

    /// The messages of all errors.
    public var description: String { errors.map { "\($0)" }.joined(separator: "; ") }
}

extension ObservableType {
    /// Runs sequences side by side, and delays their errors until all have ended.
    ///
    /// Otherwise it is ``merge(_:)-(Observable<Self.Element>...)``.
    ///
    ///     first              --1--X
    ///     second             ---2----3--|
    ///     mergeDelayError    --12----3--X
    ///
    /// Completes when all have completed. If some have failed, the result fails when all have ended, with a
    /// ``CompositeError`` of their errors.
    /// The observer is called on the threads of the sequences, by one thread at a time.
    @inlinable
    public static func mergeDelayError(_ sources: Observable<Element>...) -> Observable<Element> {
        mergeDelayError(sources)
    }

    /// Runs sequences side by side, and delays their errors until all have ended.
    ///
    /// It is ``mergeDelayError(_:)-(Observable<Self.Element>...)`` of a collection.
    /// The observer is called on the threads of the sequences, by one thread at a time.
    @inlinable
    public static func mergeDelayError(_ sources: some Swift.Collection<Observable<Element>>) -> Observable<Element> {
        .delayingErrors(of: Array(sources)) { .merge($0) }
    }

    /// Runs sequences one after the other, and delays their errors until all have ended.
    ///
    ///     first               --1--X
    ///     second                   ---2--|
    ///     concatDelayError    --1-----2--X
    ///
    /// Completes when all have completed. If some have failed, the result fails when all have ended, with a
    /// ``CompositeError`` of their errors.
    /// The observer is called on the threads of the sequences.
    @inlinable
    public static func concatDelayError(_ sources: Observable<Element>...) -> Observable<Element> {
        concatDelayError(sources)
    }

    /// Runs sequences one after the other, and delays their errors until all have ended.
    ///
    /// It is ``concatDelayError(_:)-(Observable<Self.Element>...)`` of a collection.
    /// The observer is called on the threads of the sequences.
    @inlinable
    public static func concatDelayError(_ sources: some Swift.Collection<Observable<Element>>) -> Observable<Element> {
        .delayingErrors(of: Array(sources)) { .concat($0) }
    }

    /// Runs sequences side by side, and delays their errors until all have ended.
    ///
    /// It is the same for sequences of another type, such as subjects.
    /// The observer is called on the threads of the sequences, by one thread at a time.
    @inlinable @_disfavoredOverload
    public static func mergeDelayError<Sources: Swift.Collection>(
        _ sources: Sources
    ) -> Observable<Element> where Sources.Element: ObservableConvertibleType<Element> {
        mergeDelayError(sources.map { $0.asObservable() })
    }

    /// Runs sequences one after the other, and delays their errors until all have ended.
    ///
    /// It is the same for sequences of another type, such as subjects.
    /// The observer is called on the threads of the sequences.
    @inlinable @_disfavoredOverload
    public static func concatDelayError<Sources: Swift.Collection>(
        _ sources: Sources
    ) -> Observable<Element> where Sources.Element: ObservableConvertibleType<Element> {
        concatDelayError(sources.map { $0.asObservable() })
    }

    @usableFromInline
    static func delayingErrors(
        of sources: [Observable<Element>],
        _ combine: @escaping @Sendable ([Observable<Element>]) -> Observable<Element>
    ) -> Observable<Element> {
        .deferred {
            let errors = DelayedErrors()
            return errors.follow(combine(sources.map(errors.delay)))
        }
    }
}

/// The errors of the sources of one run, which follow its last event.
@usableFromInline
struct DelayedErrors: Sendable {
    private let errors = Locked<[any Error]>([])

    @usableFromInline
    init() {}

    /// Returns the sequence, which completes in place of an error.
    @usableFromInline
    func delay<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.catch { [errors] error in
            errors.withLock { $0.append(error) }
            return .empty()
        }
    }

    /// Returns the sequence, which fails in place of its completion if there are errors by then.
    @usableFromInline
    func follow<Element>(_ combined: Observable<Element>) -> Observable<Element> {
        combined.catch { [errors] error in
            // Only errors of the operator itself arrive here: `delay(_:)` has caught those of the sources.
            let all = errors.withLock { $0 }
            return .error(all.isEmpty ? error : CompositeError(all + [error]))
        }
        .concat(
            Observable.deferred { [errors] in
                let all = errors.withLock { $0 }
                return all.isEmpty ? .empty() : .error(CompositeError(all))
            })
    }
}
