import ConfigTestSupport
import RxDiagnostics
import RxYAML
import Testing

@testable import RxPipelines

/// Configurations that are made to exhaust their reader after the YAML is parsed. Each is read in a short time; the
/// time limit only catches a hang.
@Suite(.timeLimit(.minutes(1)))
struct ConfigHostileTests {
    private func read(_ text: String) -> Diagnostics? {
        let substitution = Substitution(environment: ["A": "x", "BIG": String(repeating: "y", count: 100_000)])
        do throws(Diagnostics) {
            _ = try LoadedConfig([("t.yaml", Array(text.utf8))], substitution)
            return nil
        } catch {
            _ = "\(error)"
            return error
        }
    }

    @Test(arguments: [
        "$$", "${A}", "${A", "$", "${A:-", "${A:-}", "${NONE:-x}", "${BIG}", "${}", "${credential:x}", "}",
    ])
    func referencesEnd(piece: String) {
        let text = String(repeating: piece, count: 60_000 / piece.utf8.count)
        _ = read("v: '\(text)'")
        _ = read("v: |\n  \(text)")
        _ = read("v: [" + String(repeating: "'\(piece)',", count: 3_000) + "]")
    }

    @Test(arguments: ["{{", "{{.", "}}", "{{.}} ", "{{\"", "$${{.}}", "${A}{{"])
    func templatesEnd(piece: String) throws {
        let text = String(repeating: piece, count: 200_000 / piece.utf8.count)
        let report = Report()
        var substituter = Substituter(Substitution(environment: ["A": "{{"]), report)
        let scalar = YAMLNode.Scalar(LocatedText(text, at: start), isPlain: true)
        let node = substituter.apply(to: YAMLNode(.scalar(scalar), at: start))
        _ = try? TemplateParser.parse(try #require(node.scalar).text)
    }

    /// A hundred errors are printed, with the number of the others.
    @Test func manyErrorsAreCounted() throws {
        let keys = (0..<20_000).map { "k\($0): 1" }.joined(separator: ", ")
        let error = try #require(read("{ \(keys) }"))
        #expect(error.list.count == 101)
        #expect(error.list.last?.message == "and 19900 more errors")
        #expect("\(error)".utf8.count < 100_000)
    }

    @Test func aliasDepthIsLimited() {
        let open = String(repeating: "[", count: 30)
        let close = String(repeating: "]", count: 30)
        let text = "a: &a \(open)\(close)\nb: &b \(open)*a\(close)\nc: \(open)*b\(close)\n"
        let found = complaints { () throws(Diagnostics) in _ = try YAMLReader.read(text, file: "t.yaml") }
        #expect(found == ["3:34: nested deeper than 64 levels"])
        let fits = complaints { () throws(Diagnostics) in
            _ = try YAMLReader.read("a: &a \(open)\(close)\nb: \(open)*a\(close)\n", file: "t.yaml")
        }
        #expect(fits == [])
    }

    @Test func manyFilesAreMerged() throws {
        var texts = (0..<500).map { number in
            (
                path: "\(number).yaml",
                bytes: Array("sources: { s\(number): { interval: 1s }, all: { interval: \(number + 1)s } }".utf8)
            )
        }
        texts.append(("p.yaml", Array("pipelines: { p: { from: all } }".utf8)))
        let plan = try LoadedConfig(texts, Substitution()).plan
        #expect(plan.sources.count == 501 && plan.sources[1].kind.summary == "every 8min 20s")
    }
}
