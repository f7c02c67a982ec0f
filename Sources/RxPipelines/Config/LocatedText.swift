/// A text out of a config that knows where each of its characters stands in the file.
///
/// What YAML did to the text on the way (quotes, escapes, folding, indentation) is undone by marks, so that an error in
/// the middle of a jq expression is reported under the very character that is wrong. Offsets count Unicode scalars.
package struct LocatedText: Sendable, Hashable {
    package let text: String
    /// From `offset` on, characters follow each other on one line of the file.
    struct Mark: Sendable, Hashable {
        var offset: Int
        var line: Int
        var column: Int
    }

    let file: String
    let marks: [Mark]

    /// A text that starts at a place and stands in the file as it is.
    package init(_ text: String, at location: SourceLocation) {
        var marks = [Mark(offset: 0, line: location.line, column: location.column)]
        for (offset, scalar) in text.unicodeScalars.enumerated() where scalar == "\n" {
            marks.append(Mark(offset: offset + 1, line: location.line + marks.count, column: 1))
        }
        self.init(text, file: location.file, marks: marks)
    }

    /// `marks` in ascending order of offset.
    init(_ text: String, file: String, marks: [Mark]) {
        self.text = text
        self.file = file
        self.marks = marks
    }

    /// Where the text starts.
    package var location: SourceLocation { location(at: 0) }

    /// Where the character at an offset stands; an offset at or past the end is the place behind the last character.
    package func location(at offset: Int) -> SourceLocation {
        let mark = marks.last { $0.offset <= offset } ?? marks.first ?? Mark(offset: offset, line: 1, column: 1)
        return SourceLocation(file: file, line: mark.line, column: mark.column + max(0, offset - mark.offset))
    }

    /// A part of the text, which still knows its places.
    func slice(_ range: Range<Int>) -> LocatedText {
        let scalars = text.unicodeScalars.dropFirst(range.lowerBound).prefix(range.count)
        let first = location(at: range.lowerBound)
        let inner = marks.filter { range.lowerBound < $0.offset && $0.offset < range.upperBound }
        let start = Mark(offset: 0, line: first.line, column: first.column)
        let rest = inner.map { Mark(offset: $0.offset - range.lowerBound, line: $0.line, column: $0.column) }
        return LocatedText(String(String.UnicodeScalarView(scalars)), file: file, marks: [start] + rest)
    }
}
