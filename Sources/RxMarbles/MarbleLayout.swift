/// Lays diagrams out one above the other: each frame begins in the same column of every row.
///
/// A row is padded with spaces, which have no meaning in a diagram, and a long gap is a time: each row can be read again.
struct MarbleLayout {
    /// A diagram that is laid out: its marks by frame.
    struct Row {
        let cells: [Int: [Marble]]
        let start: Int
        /// The frame after the last one. The row is blank from there on.
        let end: Int

        /// - Parameter marksStart: whether `^` marks frame 0 if the row begins before it.
        init(_ marbles: [Marble], from start: Int, to end: Int, marksStart: Bool) {
            var cells = Dictionary(grouping: marbles, by: \.frame)
            if start < 0, marksStart {
                cells[0, default: []].insert(Marble(0, .subscription), at: 0)
            }
            self.cells = cells
            self.start = start
            self.end = end
        }

        /// The text of a frame, or blank after the end of the row.
        func text(of frame: Int) -> String {
            guard let marks = cells[frame]?.map(\.mark) else { return frame < end ? "-" : "" }
            let text = String(marks.map(\.character))
            return marks.count > 1 || looksLikeTime(marks, before: frame + 1) ? "(\(text))" : text
        }

        /// Whether a digit and the value in the next frame would be read as a time.
        private func looksLikeTime(_ marks: [MarbleMark], before next: Int) -> Bool {
            guard case .value(let digit)? = marks.first, ("0"..."9").contains(digit) else { return false }
            guard let following = cells[next], case .value(let letter)? = following.first?.mark else { return false }
            return following.count == 1 && "hmsun".contains(letter)
        }
    }

    /// The text of one row.
    static func text(of row: Row, _ frame: Duration) -> String {
        String(MarbleLayout([row], FrameDuration(frame)).lines.joined().drop { $0 == " " })
    }

    /// A frame with at least one mark, and its columns.
    struct Column {
        let frame: Int
        let offset: Int
        let width: Int
    }

    /// The longest gap that is printed frame by frame.
    private static let longestGap = 15

    /// The rows as text.
    private(set) var lines: [String]
    /// The frames in which something happens, in their order.
    private(set) var columns: [Column] = []
    private var width = 0

    init(_ rows: [Row], _ duration: FrameDuration) {
        lines = Array(repeating: "", count: rows.count)
        var now = rows.map(\.start).min() ?? 0
        for frame in Set(rows.flatMap(\.cells.keys)).sorted() {
            addGap(rows, from: now, to: frame, duration)
            let texts = rows.map { $0.text(of: frame) }
            columns.append(Column(frame: frame, offset: width, width: texts.map(\.count).max() ?? 0))
            add(texts)
            now = frame + 1
        }
        addGap(rows, from: now, to: rows.map(\.end).max() ?? 0, duration)
        lines = lines.map(\.trimmedAtEnd)
    }

    private mutating func addGap(_ rows: [Row], from start: Int, to end: Int, _ duration: FrameDuration) {
        guard end > start else { return }
        var text = String(repeating: "-", count: min(end - start, Self.longestGap))
        if end - start > Self.longestGap { text = " \(duration.text(ofFrames: end - start)) " }
        add(rows.map { $0.end >= end ? text : "" })
    }

    /// Adds a text to each row, padded to the same width.
    private mutating func add(_ texts: [String]) {
        let longest = texts.map(\.count).max() ?? 0
        for (row, text) in texts.enumerated() {
            lines[row] += text + String(repeating: " ", count: longest - text.count)
        }
        width += longest
    }
}
