import RxDiagnostics
import RxJSON

/// The result of a test of a configuration.
struct TestResult {
    let name: String
    /// The location of the test's name in the configuration.
    let location: SourceLocation
    /// The failures of the test; empty if it has passed.
    let failures: [String]
    /// How long the test took.
    let time: Duration

    var hasPassed: Bool { failures.isEmpty }

    /// The result for programs.
    var json: JSON {
        [
            "name": .string(name), "passed": .bool(hasPassed), "failures": .array(failures.map(JSON.string)),
            "file": .string(location.file), "line": .number(Double(location.line)),
            "column": .number(Double(location.column)), "seconds": .number(seconds),
        ]
    }

    private var seconds: Double { (time / .microseconds(1)).rounded() / 1_000_000 }

    /// The results as text for a terminal.
    static func text(_ results: [TestResult], of path: String) -> String {
        if results.isEmpty {
            return "\(path): no tests; add them under 'tests:', see rxwatchd.yaml(5)"
        }
        let failed = results.count { !$0.hasPassed }
        let lines = results.map { result in
            guard !result.hasPassed else { return "\(result.name): passed" }
            let details = result.failures.joined(separator: "\n").split(separator: "\n").map { "  \($0)" }
            return (["\(result.name): failed (\(result.location))"] + details).joined(separator: "\n")
        }
        let summary = failed == 0 ? "all passed" : "\(failed) failed"
        return (lines + ["\(counted(results.count, "test")): \(summary)"]).joined(separator: "\n")
    }

    /// The results as JUnit's XML.
    static func junit(_ results: [TestResult], of path: String) -> String {
        let total = results.map(\.seconds).reduce(0, +)
        let counts = "tests=\"\(results.count)\" failures=\"\(results.count { !$0.hasPassed })\" errors=\"0\""
        let time = (total * 1_000_000).rounded() / 1_000_000
        let cases = results.map { result in
            let attributes =
                "name=\"\(result.name.inXML)\" classname=\"\(path.inXML)\" file=\"\(result.location.file.inXML)\" "
                + "line=\"\(result.location.line)\" time=\"\(result.seconds)\""
            if result.hasPassed { return "    <testcase \(attributes)/>" }
            let text = result.failures.joined(separator: "\n").inXML
            return """
                    <testcase \(attributes)>
                      <failure message="not as expected">\(text)</failure>
                    </testcase>
                """
        }
        return junit(suite: "name=\"\(path.inXML)\" \(counts) time=\"\(time)\"", cases)
    }

    /// JUnit's XML of a run that an error has prevented: a suite with one test, which has the error.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - place: where it is, as the name of the test.
    ///   - path: the path of the configuration.
    static func junit(error: String, in place: String, of path: String) -> String {
        let first = error.split(separator: "\n").first.map(String.init) ?? error
        return junit(
            suite: "name=\"\(path.inXML)\" tests=\"1\" failures=\"0\" errors=\"1\" time=\"0\"",
            [
                """
                    <testcase name="\(place)" classname="\(path.inXML)" time="0">
                      <error message="\(first.inXML)">\(error.inXML)</error>
                    </testcase>
                """
            ])
    }

    private static func junit(suite: String, _ cases: [String]) -> String {
        let lines =
            [#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>", "  <testsuite \(suite)>"] + cases
            + ["  </testsuite>", "</testsuites>"]
        return lines.joined(separator: "\n")
    }
}

extension String {
    /// The text in XML. Characters that XML cannot contain are replaced by U+FFFD.
    fileprivate var inXML: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n": result += "&#10;"
            case "\t": result += "&#9;"
            case "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}":
                result.unicodeScalars.append(scalar)
            default: result += "\u{FFFD}"
            }
        }
        return result
    }
}
