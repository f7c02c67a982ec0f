import FoundationEssentials
import RxControl
import RxDiagnostics
import RxJSON
import RxMarbles

/// Marble diagrams of nodes that grow while lines of `rxwatchctl tap` arrive.
///
/// ```
/// tick  -0-1-2-3-4-
/// api   ---a-----#-
/// a = {"ok":true}
/// ```
package struct LiveMarbles {
    /// The most marks of a node in a frame; `*` stands for further ones.
    private static let maximumMarks = 4
    /// The frames that are kept if nobody draws them.
    private static let maximumFrames = 1000

    private let frame: Double
    private let start: Double
    /// The nodes in their order.
    private var nodes: [String]
    /// The number of the first kept frame.
    private var first = 0
    /// The marks by node, for each frame from ``first``.
    private var frames: [[String: [MarbleMark]]] = []
    /// The characters of the values that are shown, by the values' texts, or what distinguishes responses.
    private var names: [String: Character] = [:]
    /// The values and failures, the latest last.
    private var legend: [(name: Character, text: String)] = []
    /// The number of lines that a slow client has lost.
    package private(set) var missing = 0

    /// Creates diagrams without events.
    ///
    /// - Parameters:
    ///   - nodes: the nodes that have a diagram from the beginning; others get one with their first event.
    ///   - frame: the time that a character stands for.
    ///   - start: the time of the first frame, in seconds since 1970.
    package init(_ nodes: [String], frame: Duration, start: Double) {
        (self.nodes, self.frame, self.start) = (nodes, max(frame / .seconds(1), 0.001), start)
    }

    /// Adds a line of `rxwatchctl tap`. A line that is none is ignored.
    package mutating func receive(_ bytes: [UInt8]) {
        guard let line = try? JSON(parsing: bytes) else { return }
        missing += TapLine.missing(in: line) ?? 0
        guard let node = line["node"]?.string, let time = line["time"]?.number else { return }
        let number = self.number(of: time)
        advance(toFrame: number)
        if !nodes.contains(node) { nodes.append(node) }
        guard frames.indices.contains(number - first) else { return }
        let marks = frames[number - first][node]?.count ?? 0
        // Marks that are not shown need no character.
        let mark = marks < Self.maximumMarks ? mark(line, of: node) : .value("*")
        if let mark { frames[number - first][node, default: []].append(mark) }
    }

    /// Adds empty frames up to a time.
    package mutating func advance(to time: Double) { advance(toFrame: number(of: time)) }

    private func number(of time: Double) -> Int {
        let number = ((time - start) / frame).rounded(.down)
        return min(max(number.isFinite ? Int(min(max(number, 0), 1e12)) : 0, first), first + 100_000)
    }

    private mutating func advance(toFrame number: Int) {
        while first + frames.count <= number { frames.append([:]) }
        if frames.count > Self.maximumFrames { forget(frames.count - Self.maximumFrames) }
    }

    /// Forgets the frames that no longer fit in this width. The characters of their values are free for others then.
    package mutating func forgetHidden(width: Int) {
        forget(firstVisible(width: width))
    }

    private mutating func forget(_ count: Int) {
        guard count > 0 else { return }
        frames.removeFirst(count)
        first += count
        let shown = Set(frames.flatMap(\.values).joined().map(\.character))
        names = names.filter { shown.contains($0.value) }
        legend.removeAll { !shown.contains($0.name) }
    }

    // MARK: - Marks

    private mutating func mark(_ line: JSON, of node: String) -> MarbleMark? {
        if let value = line["value"] {
            if line["replayed"] == true { return nil }
            let response = ResponseSummary(value)
            let text = response?.text ?? value.description
            let name = name(of: response?.identity ?? text, preferring: value.string ?? text)
            // A value that is its own name needs no explanation.
            if "\(name)" != text { note(name, text) }
            return .value(name)
        }
        if let failure = line["failed"]?.string {
            let sink = line["sink"]?.string.map { "/\($0)" } ?? ""
            let detail = TapLine.detail(of: failure, at: node, line["sink"]?.string)
            note("#", "\(node)\(sink) failed\(detail)")
            return .error
        }
        switch line["state"]?.string {
        case "running": return .subscription
        case "completed": return .completion
        case "idle": return .disposal
        default: return nil
        }
    }

    /// The character of a value: the same as long as it is shown.
    private mutating func name(of text: String, preferring preferred: String) -> Character {
        if let known = names[text] { return known }
        var free = MarbleNames(used: Set(names.values).union("*"))
        let name = free.name(preferring: preferred)
        names[text] = name
        return name
    }

    private mutating func note(_ name: Character, _ text: String) {
        legend.removeAll { $0.name == name && (name != "#" || $0.text == text) }
        legend.append((name, text))
        if legend.count > 100 { legend.removeFirst() }
    }

    // MARK: - Lines

    private static let lost = " events are missing: they came faster than they were read"

    /// The color of a line: red for a failure below the diagrams, and yellow for the number of missing events.
    package static func color(of line: String) -> AnswerColor? {
        if line.hasPrefix("# = ") { return .red }
        let end = line.drop(while: \.isNumber)
        // The line may be cut.
        let rest = end.last == "…" ? end.dropLast() : end
        return rest.count < line.count && !rest.isEmpty && lost.hasPrefix(rest) ? .yellow : nil
    }

    /// The diagrams with the latest frames that fit, and below them what the characters stand for, the latest last.
    ///
    /// - Parameters:
    ///   - width: the number of columns.
    ///   - height: the largest number of lines.
    package func lines(width: Int, height: Int = .max) -> [String] {
        let (rows, shown) = rows(width: width)
        let lost = missing == 0 ? [] : ["\(missing)\(Self.lost)"]
        let room = max(0, height - rows.count - lost.count)
        let notes = legend.filter { shown.contains($0.name) }.suffix(room)
        return (rows + lost + notes.map { "\($0.name) = \($0.text)" }).map {
            $0.cut(toColumns: max(width, 1)).trimmedAtEnd
        }
    }

    /// The finished diagrams, if a line of this width is full: they begin anew after that.
    package mutating func takeLines(width: Int) -> [String]? {
        guard self.width(of: frames.dropLast()) >= room(in: width) else { return nil }
        let last = frames.removeLast()
        let lines = lines(width: width)
        frames.append(last)
        forget(frames.count - 1)
        return lines
    }

    private var margin: Int { (nodes.map(\.count).max() ?? 0) + 2 }
    private func room(in width: Int) -> Int { max(10, width - margin) }

    private func width(of frames: some Sequence<[String: [MarbleMark]]>) -> Int {
        frames.reduce(0) { $0 + ($1.values.map { Self.text(of: $0).count }.max() ?? 1) }
    }

    /// The first frame that fits in this width with all that follow it.
    private func firstVisible(width: Int) -> Int {
        var (left, begin) = (room(in: width), frames.endIndex)
        while begin > frames.startIndex {
            left -= self.width(of: CollectionOfOne(frames[begin - 1]))
            if left < 0 { break }
            begin -= 1
        }
        return begin
    }

    /// The row of each node, and the characters in them.
    private func rows(width: Int) -> (rows: [String], shown: Set<Character>) {
        let visible = frames[firstVisible(width: width)...]
        let rows = nodes.map { node in
            visible.reduce(into: node.padded(to: margin)) { row, frame in
                let text = Self.text(of: frame[node] ?? [])
                row += text.padded(to: self.width(of: CollectionOfOne(frame)))
            }
        }
        return (rows, Set(visible.flatMap(\.values).joined().map(\.character)))
    }

    private static func text(of marks: [MarbleMark]) -> String {
        switch marks.count {
        case 0: "-"
        case 1: "\(marks[0].character)"
        case ...maximumMarks: "(\(String(marks.map(\.character))))"
        default: "(\(String(marks.prefix(maximumMarks - 1).map(\.character)))*)"
        }
    }
}
