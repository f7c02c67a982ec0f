extension ObservableType {
    /// Names this place: an error that comes by tells so afterwards, in its ``Swift/Error/checkpoints``.
    ///
    ///     source                 --1--X
    ///     checkpoint("body")     --1--X      X.checkpoints == ["body"]
    ///
    /// An error that has passed several tells them in the order in which it came by. It then is a ``CheckpointedError``
    /// around the one that it was, which is its ``Swift/Error/withoutCheckpoints``. Elements and the end pass as they
    /// are.
    @inlinable
    public func checkpoint(_ name: String) -> Observable<Element> {
        asObservable().lift(.checkpoint, with: name) { CheckpointSink(to: $1, $0) }
    }
}

/// An error with the names of the places that it came by.
public struct CheckpointedError: Error {
    /// The error itself.
    public let error: any Error
    /// The names, in the order in which it came by.
    public let checkpoints: [String]
}

extension CheckpointedError: CustomStringConvertible {
    /// The error, and the places: "no element came in time (passed body, then parsed)".
    public var description: String {
        "\(error) (passed \(checkpoints.joined(separator: ", then ")))"
    }
}

extension Error {
    /// The names of the checkpoints that this error has passed (see ``ObservableType/checkpoint(_:)``), in that order.
    public var checkpoints: [String] {
        (self as? CheckpointedError)?.checkpoints ?? []
    }

    /// The error as it was before it passed any checkpoint.
    public var withoutCheckpoints: any Error {
        (self as? CheckpointedError)?.error ?? self
    }

    /// The error as it is when it has passed a checkpoint.
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
        super.init(.checkpoint, to: downstream)
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
