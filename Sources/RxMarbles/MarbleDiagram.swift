/// The events of a sequence, read from a text such as `-a-(bc)--|`.
///
/// | in the text | meaning |
/// |---|---|
/// | `-` | a frame passes in which nothing happens |
/// | `a` | a value; a letter, digit, symbol or other punctuation names it |
/// | `(ab)` | several events in one frame, in this order |
/// | `\|` | completion |
/// | `#` | an error |
/// | `^` | the frame of the subscription, from which frames are counted; default: the first one |
/// | ` 10ms ` | this time passes; spaces on both sides, units `ns`, `us`, `ms`, `s`, `m` and `h` |
///
/// A value, an end, a `^` and a group take one frame, however long the group is. Other spaces have no meaning, and align
/// diagrams that are written one above the other.
public struct MarbleDiagram: Hashable, Sendable {
    /// The events, in their order.
    public let marbles: [Marble]
    /// The first frame of the text: 0, or a negative number if there is something before `^`.
    public let start: Int
    /// The frame after the last one of the text.
    public let end: Int
    /// The duration of a frame.
    public let frame: Duration

    /// Reads a diagram.
    ///
    /// - Parameters:
    ///   - text: the diagram.
    ///   - frame: the duration of a frame, of which times in the text must be multiples.
    ///   - isKnown: whether a value has this name.
    /// - Throws: a ``MarbleError`` for the first error.
    /// - Complexity: O(*n*) for a text of *n* characters.
    public init(
        _ text: String, frame: Duration = .seconds(1), isKnown: (_ name: Character) -> Bool = { _ in true }
    ) throws(MarbleError) {
        let scanner = try MarbleScanner(text, FrameDuration(frame))
        var (origin, ended): (Int?, Character?) = (nil, nil)
        for (frame, mark, column) in scanner.symbols {
            switch mark {
            case .subscription:
                if origin != nil { throw MarbleError(column: column, problem: "a second '^': remove one of them") }
                origin = frame
                continue
            case .disposal:
                throw MarbleError(
                    column: column, problem: "'!' in a diagram of events: only a diagram of a subscription has it")
            case .value(let name) where !isKnown(name):
                throw MarbleError(column: column, problem: "no value for '\(name)': add it to the values, or remove it")
            default: break
            }
            if let ended {
                throw MarbleError(
                    column: column, problem: "'\(mark.character)' after the end, '\(ended)': remove one of them")
            }
            if mark.isEnd { ended = mark.character }
        }
        let first = origin ?? 0
        marbles = scanner.symbols.filter { $0.mark != .subscription }.map { Marble($0.frame - first, $0.mark) }
        start = -first
        end = scanner.length - first
        self.frame = frame
    }

    /// Makes a diagram of events.
    ///
    /// - Parameters:
    ///   - marbles: the events, in the order of their frames.
    ///   - end: the frame after the last one; default: that after the last event.
    ///   - frame: the duration of a frame.
    public init(_ marbles: [Marble], end: Int? = nil, frame: Duration = .seconds(1)) {
        self.marbles = marbles
        start = min(0, marbles.first?.frame ?? 0)
        // A diagram that begins before the subscription shows it.
        let least = max(start < 0 ? 1 : 0, marbles.last.map { $0.frame + 1 } ?? 0)
        self.end = max(least, end ?? 0)
        self.frame = frame
    }
}

extension MarbleDiagram: CustomStringConvertible {
    /// The diagram as text. Reading it with the same duration of a frame gives this diagram again.
    public var description: String {
        MarbleLayout.text(of: MarbleLayout.Row(marbles, from: start, to: end, marksStart: true), frame)
    }
}
