// Configurations of any bytes are read in bounded time and space: into a tree whose locations are in the file, or into
// diagnostics that can be printed. The same holds for the results of substitution, merging and reading keys.

import RxDiagnostics
import RxJSON
import RxYAML

private func fail(_ why: String) -> Never {
    fatalError(why)
}

// Only the whole daemon knows the kinds.
extension Schema {
    static func kind(_ expected: String) -> JSON? { nil }
}

/// One file that is read.
private struct Reading {
    let bytes: [UInt8]
    let name: String

    private var lines: Int {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.reduce(1) { $0 + ($1.isLineBreak ? 1 : 0) }
    }

    private func check(_ place: SourceLocation, _ lines: Int) {
        guard place.file == name, (1...lines + 1).contains(place.line), place.column >= 1 else { fail("\(place)") }
    }

    func check(_ diagnostics: Diagnostics) {
        if diagnostics.list.isEmpty { fail("a config was rejected without a message") }
        if diagnostics.list.count > Report.maximum + 1 { fail("\(diagnostics.list.count) complaints") }
        let lines = lines
        for diagnostic in diagnostics.list where diagnostic.location.file == name { check(diagnostic.location, lines) }
        _ = diagnostics.description
    }

    func node() -> YAMLNode? {
        do {
            let node = try YAMLReader.read(bytes, file: name)
            var count = 0
            check(node, depth: 0, &count, lines)
            return node
        } catch {
            check(error)
            return nil
        }
    }

    private func check(_ node: YAMLNode, depth: Int, _ count: inout Int, _ lines: Int) {
        count += 1
        if count > YAMLReader.maximumNodes || depth > YAMLReader.maximumDepth { fail("too large a tree") }
        check(node.location, lines)
        _ = (node.described, node.isNull)
        switch node.value {
        case .scalar(let scalar):
            var last = 0
            for offset in 0...scalar.text.text.unicodeScalars.count where offset < 64 {
                let place = scalar.text.location(at: offset)
                check(place, lines)
                if place.line < last { fail("places go backwards") }
                last = place.line
            }
        case .sequence(let nodes): for node in nodes { check(node, depth: depth + 1, &count, lines) }
        case .mapping(let pairs):
            var names: Set<String> = []
            for pair in pairs {
                check(pair.keyLocation, lines)
                if !names.insert(pair.key).inserted { fail("the key '\(pair.key)' twice") }
                count += 1
                check(pair.value, depth: depth + 1, &count, lines)
            }
        }
    }
}

/// Reads a node as each of the possible types.
private func readFields(_ node: YAMLNode, _ report: Report) {
    var fields = FieldReader(node, in: "it", short: "a", ReadingContext(report))
    _ = fields.required("a", .duration)
    _ = fields.optional("b", .int(0...10))
    _ = fields.optional("c", .bool)
    _ = fields.optional("d", .oneOrMore(of: .string("a path", example: "/x")))
    _ = fields.optional("e", .map(of: .number))
    _ = fields.optional("f", .text("an expression", example: "."))
    _ = fields.optional("g", .choice([("one", 1), ("two", 2)]))
    _ = fields.finish()
    _ = node.json(report)
}

/// Reads an input, and again with much repetition.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var bytes = Array(UnsafeBufferPointer(start: start, count: count))
    // A first byte that no text contains means that the rest is repeated: a bomb need not be as long as its text.
    if bytes.first == 0xFF {
        bytes.removeFirst()
        bytes = Array(repeatElement(bytes, count: (1 << 15) / max(bytes.count, 1)).joined())
    }
    // A byte that no text contains separates two files.
    let texts = bytes.split(separator: 0xFE, maxSplits: 1, omittingEmptySubsequences: false)
    let readings = texts.enumerated().map { Reading(bytes: Array($0.element), name: "\($0.offset)") }
    let report = Report()
    var substituter = Substituter(
        Substitution(environment: ["A": "x: [{", "B": "", "LONG": String(repeating: "y", count: 5_000)]), report)
    let roots = readings.compactMap { $0.node() }.map { substituter.apply(to: $0) }
    let merged = ConfigMerge.merge(roots, report)
    for node in [merged] + (merged.mapping ?? []).map(\.value) { readFields(node, report) }
    for reading in readings {
        report.addSource(SourceText(file: reading.name, text: String(decoding: reading.bytes, as: UTF8.self)))
    }
    if !report.isEmpty { for reading in readings { reading.check(report.all) } }
    return 0
}
