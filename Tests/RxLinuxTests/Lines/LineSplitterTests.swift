import RxLinux
import Testing

struct LineSplitterTests {
    private func lines(_ blocks: [[UInt8]], limit: Int = 100) -> [Line] {
        var splitter = LineSplitter(limit: limit)
        var lines: [Line] = []
        for block in blocks {
            splitter.receive(block[...]) { line in
                lines.append(line)
                return true
            }
        }
        return lines + [splitter.finish()].compactMap(\.self)
    }

    private static func line(_ text: String, truncated: Bool = false, partial: Bool = false) -> Line {
        Line(Array(text.utf8), isTruncated: truncated, isPartial: partial)
    }

    @Test(arguments: [
        ("", []),
        ("\n", [line("")]),
        ("a\n", [line("a")]),
        ("a\n\nb\r\n", [line("a"), line(""), line("b\r")]),
        ("a\nb", [line("a"), line("b", partial: true)]),
        ("abcde\n", [line("abcde")]),
        ("abcdef\nx\n", [line("abcde", truncated: true), line("x")]),
        ("abcdef", [line("abcde", truncated: true, partial: true)]),
        ("a\0b\n", [line("a\0b")]),
    ])
    func linesAreIndependentOfBlocks(text: String, expected: [Line]) {
        let bytes = Array(text.utf8)
        for size in 1...8 {
            let starts = stride(from: 0, to: bytes.count, by: size)
            let blocks = starts.map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
            #expect(lines(blocks, limit: 5) == expected, "in blocks of \(size)")
        }
    }

    @Test func limitOfZeroKeepsNothing() {
        #expect(lines([Array("ab\n\n".utf8)], limit: 0) == [Self.line("", truncated: true), Self.line("")])
    }

    @Test func disposedObserverReceivesNoLines() {
        var splitter = LineSplitter(limit: 10)
        var count = 0
        splitter.receive(Array("a\nb\nc\n".utf8)[...]) { _ in
            count += 1
            return count < 2
        }
        #expect(count == 2)
    }
}
