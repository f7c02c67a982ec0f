extension ObservableType {
    /// Records `name` in each error that passes this place in the chain.
    ///
    ///     source                 --1--X
    ///     checkpoint("body")     --1--X      X.checkpoints == ["body"]
    ///
    /// The error becomes a ``CheckpointedError`` around the original one. `checkpoints` of the error lists the names
    /// that it has passed, in order, and `withoutCheckpoints` is the original error. Elements and
    /// completion pass unchanged.
    /// Events are delivered on the source's thread.
    @inlinable
    public func checkpoint(_ name: String) -> Observable<Element> {
        asObservable().lift(.checkpoint, with: name) { CheckpointSink(to: $1, $0) }
    }
}

/// An error, with the names of the checkpoints that it has passed.
public struct CheckpointedError: Error {
    /// The original error.
    public let error: any Error
    /// The names, in the order in which the error passed them.
    public let checkpoints: [String]
}

extension CheckpointedError: CustomStringConvertible {
    /// The error and the names: "no element came in time (passed body, then parsed)".
    public var description: String {
        "\(error) (passed \(checkpoints.joined(separator: ", then ")))"
    }
}

extension Error {
    /// The names of the checkpoints that this error has passed, in that order; see ``ObservableType/checkpoint(_:)``.
    public var checkpoints: [String] {
        (self as? CheckpointedError)?.checkpoints ?? []
    }

    /// The original error, as it was before it passed a checkpoint.
    public var withoutCheckpoints: any Error {
        (self as? CheckpointedError)?.error ?? self
    }

    /// Returns the error as it is after it has passed `checkpoint`.
    package func passing(_ checkpoint: String) -> any Error {
        CheckpointedError(error: withoutCheckpoints, checkpoints: checkpoints + [checkpoint])
    }
}

@usableFromInline
final class CheckpointSink<Element>: OperatorSink<Element, Element> {
    private let name: String

    @usableFromInline
    init(to downstream: Sink<Element>, _ name: String) {
        self.name = name
        super.init(.checkpoint, named: name, to: downstream)
    }

    @usableFromInline
    override func next(_ element: Element) {
        downstream.next(element)
    }

    @usableFromInline
    override func error(_ error: any Error) {
        downstream.error(error.passing(name))
    }
}
