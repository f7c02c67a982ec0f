/// A text of a configuration that knows the location of each of its characters in the file.
///
/// Marks undo what YAML does to a text (quotes, escapes, folding, indentation), so that an error in the middle of a jq
/// expression is reported under the character that is wrong. Offsets count Unicode scalars.
package struct LocatedText: Sendable, Hashable {
    /// The text, without the quotes and escapes of the file.
    package let text: String
    /// The start of a run of characters that are adjacent on one line of the file.
    package struct Mark: Sendable, Hashable {
        /// The offset in the text.
        package var offset: Int
        /// The line in the file, from 1.
        package var line: Int
        /// The column in that line, from 1.
        package var column: Int
        /// Whether the text after this mark was substituted.
        ///
        /// Such text is not in the file, and all of it has the location of its reference.
        package var isSubstituted: Bool

        /// Creates a mark.
        package init(offset: Int, line: Int, column: Int, isSubstituted: Bool = false) {
            self.offset = offset
            self.line = line
            self.column = column
            self.isSubstituted = isSubstituted
        }
    }

    /// The file that contains the text.
    package let file: String
    let marks: [Mark]

    /// Creates a text whose characters are adjacent in the file, starting at `location`.
    package init(_ text: String, at location: SourceLocation) {
        var marks = [Mark(offset: 0, line: location.line, column: location.column)]
        for (offset, scalar) in text.unicodeScalars.enumerated() where scalar == "\n" {
            marks.append(Mark(offset: offset + 1, line: location.line + marks.count, column: 1))
        }
        self.init(text, file: location.file, marks: marks)
    }

    /// Creates a text from marks in ascending order of offset.
    package init(_ text: String, file: String, marks: [Mark]) {
        self.text = text
        self.file = file
        self.marks = marks
    }

    /// The location where the text starts.
    package var location: SourceLocation { location(at: 0) }

    /// The location of the character at an offset; from the end on, the location after the last character.
    package func location(at offset: Int) -> SourceLocation {
        let mark = mark(at: offset)
        let distance = mark.isSubstituted ? 0 : max(0, offset - mark.offset)
        return SourceLocation(file: file, line: mark.line, column: mark.column + distance)
    }

    private func mark(at offset: Int) -> Mark {
        marks.isEmpty ? Mark(offset: offset, line: 1, column: 1) : marks[markIndex(at: offset)]
    }

    /// The index of the last mark at or before an offset, or of the first mark.
    private func markIndex(at offset: Int) -> Int {
        var range = marks.startIndex..<marks.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = marks[middle].offset <= offset ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return max(0, range.lowerBound - 1)
    }

    /// The marks of a part of the text, by offsets in that part.
    package func marks(of range: Range<Int>) -> [Mark] {
        let place = location(at: range.lowerBound)
        let index = markIndex(at: range.lowerBound)
        let isSubstituted = marks.indices.contains(index) && marks[index].isSubstituted
        var result = [Mark(offset: 0, line: place.line, column: place.column, isSubstituted: isSubstituted)]
        for mark in marks.dropFirst(index) where mark.offset > range.lowerBound {
            guard mark.offset < range.upperBound else { break }
            var mark = mark
            mark.offset -= range.lowerBound
            result.append(mark)
        }
        return result
    }

    /// The ranges of characters that were substituted for a reference, in ascending order.
    package var substituted: [Range<Int>] {
        let ends = marks.dropFirst().map(\.offset) + [text.unicodeScalars.count]
        return zip(marks, ends).filter { $0.0.isSubstituted }.map { $0.offset..<$1 }
    }

    /// Returns a part of the text with its locations.
    package func slice(_ range: Range<Int>) -> LocatedText {
        slice(range, of: Array(text.unicodeScalars))
    }

    /// Returns a part of the text with its locations, for callers that take many parts and have the scalars.
    package func slice(_ range: Range<Int>, of scalars: [Unicode.Scalar]) -> LocatedText {
        let range = range.clamped(to: 0..<scalars.count)
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return LocatedText(String(view), file: file, marks: marks(of: range))
    }
}
