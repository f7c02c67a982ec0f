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
    /// Runs sequences side by side, as ``merge(_:)-(Observable<Self.Element>...)`` does, and delays their errors until
    /// all have ended.
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
            let errors = Locked<[any Error]>([])
            let patient = sources.map { source in
                source.catch { error in
                    errors.withLock { $0.append(error) }
                    return .empty()
                }
            }
            let end = Observable<Element>.deferred {
                let all = errors.withLock { $0 }
                return all.isEmpty ? .empty() : .error(CompositeError(all))
            }
            return combine(patient).concat(end)
        }
    }
}
