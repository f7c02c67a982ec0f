/// A text out of a config that knows where each of its characters stands in the file.
///
/// What YAML did to the text on the way (quotes, escapes, folding, indentation) is undone by marks, so that an error in
/// the middle of a jq expression is reported under the very character that is wrong. Offsets count Unicode scalars.
package struct LocatedText: Sendable, Hashable {
    package let text: String
    /// From `offset` on, characters follow each other on one line of the file.
    package struct Mark: Sendable, Hashable {
        package var offset: Int
        package var line: Int
        package var column: Int
        /// What follows does not stand in the file: all of it is at the one place that it was put in for.
        package var isSubstituted: Bool

        package init(offset: Int, line: Int, column: Int, isSubstituted: Bool = false) {
            self.offset = offset
            self.line = line
            self.column = column
            self.isSubstituted = isSubstituted
        }
    }

    package let file: String
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
    package init(_ text: String, file: String, marks: [Mark]) {
        self.text = text
        self.file = file
        self.marks = marks
    }

    /// Where the text starts.
    package var location: SourceLocation { location(at: 0) }

    /// Where the character at an offset stands; an offset at or past the end is the place behind the last character.
    package func location(at offset: Int) -> SourceLocation {
        let mark = mark(at: offset)
        let distance = mark.isSubstituted ? 0 : max(0, offset - mark.offset)
        return SourceLocation(file: file, line: mark.line, column: mark.column + distance)
    }

    private func mark(at offset: Int) -> Mark {
        marks.isEmpty ? Mark(offset: offset, line: 1, column: 1) : marks[markIndex(at: offset)]
    }

    /// The last mark at or before an offset, or the first one.
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

    /// Where characters stand that were put in for a reference, in ascending order.
    package var substituted: [Range<Int>] {
        let ends = marks.dropFirst().map(\.offset) + [text.unicodeScalars.count]
        return zip(marks, ends).filter { $0.0.isSubstituted }.map { $0.offset..<$1 }
    }

    /// A part of the text, which still knows its places.
    package func slice(_ range: Range<Int>) -> LocatedText {
        slice(range, of: Array(text.unicodeScalars))
    }

    /// The same, for whoever takes many parts and has the characters at hand.
    package func slice(_ range: Range<Int>, of scalars: [Unicode.Scalar]) -> LocatedText {
        let range = range.clamped(to: 0..<scalars.count)
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return LocatedText(String(view), file: file, marks: marks(of: range))
    }
}
