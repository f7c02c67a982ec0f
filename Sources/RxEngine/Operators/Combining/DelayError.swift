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
        .delayingErrors(of: sources) { .merge($0) }
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
        .delayingErrors(of: sources) { .concat($0) }
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
        combined.concat(
            Observable.deferred { [errors] in
                let all = errors.withLock { $0 }
                return all.isEmpty ? .empty() : .error(CompositeError(all))
            })
    }
}
