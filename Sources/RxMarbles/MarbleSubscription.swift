/// When an observer is subscribed, read from a text such as `--^---!`.
///
/// `^` is the frame of the subscription, `!` that of its disposal; without `!` it is never disposed. Frames are counted
/// from the beginning of the text. `-`, groups, times and spaces are as in a ``MarbleDiagram``.
public struct MarbleSubscription: Hashable, Sendable {
    /// The frame in which the observer subscribes.
    public let subscribe: Int
    /// The frame in which the subscription is disposed; `nil` if it never is.
    public let unsubscribe: Int?
    /// The duration of a frame.
    public let frame: Duration

    /// Reads a diagram of a subscription.
    ///
    /// - Parameters:
    ///   - text: the diagram.
    ///   - frame: the duration of a frame, of which times in the text must be multiples.
    /// - Throws: a ``MarbleError`` for the first error.
    /// - Complexity: O(*n*) for a text of *n* characters.
    public init(_ text: String, frame: Duration = .seconds(1)) throws(MarbleError) {
        var (subscribe, unsubscribe): (Int?, Int?)
        for (frame, mark, column) in try MarbleScanner(text, FrameDuration(frame)).symbols {
            switch mark {
            case .subscription:
                if subscribe != nil { throw MarbleError(column: column, problem: "a second '^': write two diagrams") }
                subscribe = frame
            case .disposal:
                if subscribe == nil { throw MarbleError(column: column, problem: "'!' without '^' before it") }
                if unsubscribe != nil { throw MarbleError(column: column, problem: "a second '!': remove one of them") }
                unsubscribe = frame
            case .value, .completion, .error:
                throw MarbleError(
                    column: column, problem: "'\(mark.character)' in a diagram of a subscription, which has '^' and '!'"
                )
            }
        }
        guard let subscribe else {
            throw MarbleError(column: 1, problem: "no '^': mark the frame in which the observer subscribes")
        }
        self.init(subscribe: subscribe, unsubscribe: unsubscribe, frame: frame)
    }

    /// Makes a subscription.
    ///
    /// - Parameters:
    ///   - subscribe: the frame in which the observer subscribes.
    ///   - unsubscribe: the frame in which the subscription is disposed; `nil` if it never is.
    ///   - frame: the duration of a frame.
    public init(subscribe: Int, unsubscribe: Int? = nil, frame: Duration = .seconds(1)) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
        self.frame = frame
    }

    /// The subscription and the disposal as marks.
    public var marbles: [Marble] {
        [Marble(subscribe, .subscription)] + (unsubscribe.map { [Marble($0, .disposal)] } ?? [])
    }
}

extension MarbleSubscription: CustomStringConvertible {
    /// The subscription as text. Reading it with the same duration of a frame gives this subscription again.
    public var description: String {
        let marbles = marbles
        let end = (marbles.last?.frame ?? 0) + 1
        return MarbleLayout.text(
            of: MarbleLayout.Row(marbles, from: min(0, marbles.first?.frame ?? 0), to: end, marksStart: false), frame)
    }
}
