// A text is split into pieces that make it up again, or the error has a location in it; the value of a variable is never
// parsed as more than text.

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

private let start = SourceLocation(file: "f", line: 1, column: 1)

private func substitute(_ text: LocatedText, _ environment: [String: String], _ report: Report) -> LocatedText {
    var substituter = Substituter(Substitution(environment: environment), report)
    let node = substituter.apply(to: YAMLNode(.scalar(.init(text, isPlain: false)), at: start))
    return node.scalar?.text ?? text
}

/// The text that the pieces make up; `nil` if it is invalid. `lines` are those of the file.
private func madeUp(_ text: LocatedText, _ lines: Int) -> String? {
    do {
        let (parts, expressions) = try TemplateParser.parse(text)
        var rest = expressions[...]
        let pieces = parts.map { part in
            switch part {
            case .text(let text): text
            case .expression: "{{\(rest.removeFirst().text)}}"
            }
        }
        if !rest.isEmpty { fail("\(rest.count) expressions too many") }
        for expression in expressions.prefix(20) where !(1...lines).contains(expression.location.line) {
            fail("\(expression)")
        }
        return pieces.joined()
    } catch {
        for diagnostic in error.list where !(1...lines).contains(diagnostic.location.line) { fail("\(diagnostic)") }
        return nil
    }
}

/// Splits one input, with and without references to variables.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    guard let text = String(validating: input, as: UTF8.self) else { return 0 }
    func same(_ a: String?, _ b: String) -> Bool { a.map { $0.utf8.elementsEqual(b.utf8) } ?? true }
    let located = LocatedText(text, at: start)
    let lines = text.unicodeScalars.reduce(1) { $0 + ($1 == "\n" ? 1 : 0) }
    if !same(madeUp(located, lines), text) { fail("made up is \(String(describing: madeUp(located, lines)))") }

    // With every dollar doubled there are no references.
    let report = Report()
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { escaped.append(contentsOf: scalar == "$" ? [scalar, scalar] : [scalar]) }
    let literal = substitute(LocatedText(String(escaped), at: start), [:], report)
    if !report.isEmpty || !same(literal.text, text) { fail("'\(literal.text)' is not '\(text)'") }

    // The value of a variable has one location, and its braces do not begin an expression.
    let put = substitute(located, ["A": "{{", "B": "}}", "C": "{{.}}\n"], Report())
    if let ends = put.substituted.last, ends.upperBound > put.text.unicodeScalars.count { fail("\(put.substituted)") }
    if !same(madeUp(put, lines), put.text) { fail("made up is \(String(describing: madeUp(put, lines)))") }
    for range in put.substituted.prefix(20)
    where put.location(at: range.lowerBound) != put.location(at: range.upperBound - 1) {
        fail("\(range) has two places")
    }
    let only = substitute(LocatedText("${TEXT}", at: start), ["TEXT": text], Report())
    if let pieces = try? TemplateParser.parse(only), !pieces.expressions.isEmpty { fail("an expression in a variable") }
    return 0
}
