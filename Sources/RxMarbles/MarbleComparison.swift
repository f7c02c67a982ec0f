/// Two diagrams, one above the other, and where they differ.
///
/// ```text
/// expected  -a-b-|
/// received  -a--c|
/// differs      ^^
/// frame 3: expected b, received nothing
/// frame 4: expected nothing, received c
/// a = 10
/// b = 20
/// c = 21
/// ```
///
/// A long gap is printed as a time. Both rows can be read as diagrams again.
public struct MarbleComparison: Hashable, Sendable {
    /// Whether both have the same events in the same frames, in the same order.
    public let isEqual: Bool
    /// The aligned diagrams, a line of markers, the differences with their times, and the values.
    public let description: String

    /// Compares the events of two sequences, or two subscriptions.
    ///
    /// Events are equal if their marks and details are.
    ///
    /// - Parameters:
    ///   - expected: the events of the upper diagram, in the order of their frames.
    ///   - received: the events of the lower diagram.
    ///   - titles: the words for the two diagrams.
    ///   - frame: the duration of a frame.
    ///   - time: names a frame in the list of differences.
    /// - Complexity: O(*n* log *n*) for *n* events.
    public init(
        expected: [Marble], received: [Marble], titles: (String, String) = ("expected", "received"),
        frame: Duration = .seconds(1), time: (_ frame: Int) -> String = { "frame \($0)" }
    ) {
        isEqual = expected == received
        let both = expected + received
        let start = min(0, both.map(\.frame).min() ?? 0)
        let end = max(start < 0 ? 1 : 0, both.map { $0.frame + 1 }.max() ?? 0)
        let marksStart = !both.contains { $0.mark == .subscription }
        let rows = [expected, received].map { marbles in
            // A row is blank after its end, but not before the subscription.
            let last = marbles.last.flatMap { $0.mark.isEnd ? max($0.frame + 1, start < 0 ? 1 : 0) : nil }
            return MarbleLayout.Row(marbles, from: start, to: last ?? end, marksStart: marksStart)
        }
        let layout = MarbleLayout(rows, FrameDuration(frame))
        let titleWidth = max(titles.0.count, titles.1.count, Self.differs.count) + 2
        func titled(_ title: String, _ line: String) -> String {
            title + String(repeating: " ", count: titleWidth - title.count) + line
        }
        var lines = [titled(titles.0, layout.lines[0]), titled(titles.1, layout.lines[1])]

        let differing = layout.columns.filter { rows[0].cells[$0.frame] != rows[1].cells[$0.frame] }
        if !differing.isEmpty {
            var markers = ""
            for column in differing {
                markers += String(repeating: " ", count: column.offset - markers.count)
                markers += String(repeating: "^", count: column.width)
            }
            lines.append(titled(Self.differs, markers))
        }
        lines += differing.prefix(Self.listed).map { column in
            let (one, other) = (Self.words(for: rows[0], column.frame), Self.words(for: rows[1], column.frame))
            return "\(time(column.frame)): \(titles.0) \(one), \(titles.1) \(other)"
        }
        if differing.count > Self.listed { lines.append("and \(differing.count - Self.listed) more differences") }
        lines += Self.legend(both)
        description = lines.joined(separator: "\n")
    }

    private static let differs = "differs"
    /// How many differences are listed.
    private static let listed = 10

    private static func words(for row: MarbleLayout.Row, _ frame: Int) -> String {
        let marbles = row.cells[frame] ?? []
        return marbles.isEmpty ? "nothing" : marbles.map(\.words).joined(separator: ", ")
    }

    /// What the names of values stand for, unless they stand for themselves.
    private static func legend(_ marbles: [Marble]) -> [String] {
        var listed: Set<Character> = []
        return marbles.compactMap { marble in
            guard case .value(let name) = marble.mark, !marble.detail.isEmpty,
                marble.detail != String(name), marble.detail != "\"\(name)\"", listed.insert(name).inserted
            else { return nil }
            return "\(name) = \(marble.detail.inOneLine)"
        }
    }
}

extension MarbleComparison: CustomStringConvertible {}

extension Marble {
    /// The event in a list of differences.
    fileprivate var words: String {
        switch mark {
        case .value(let name): String(name)
        case .completion: "completion"
        case .error: detail.isEmpty ? "an error" : "the error \(detail.inOneLine)"
        case .subscription: "subscription"
        case .disposal: "disposal"
        }
    }
}

extension String {
    /// The text without line breaks and other control characters, and shortened.
    fileprivate var inOneLine: String {
        let longest = 200
        var line = ""
        for scalar in unicodeScalars.prefix(longest) {
            line += scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: false) : String(scalar)
        }
        return unicodeScalars.count > longest ? line + "…" : line
    }
}
