import RxDiagnostics
import RxJSON
import RxYAML

/// The location where texts of the tests begin.
package let start = SourceLocation(file: "t.yaml", line: 1, column: 1)

/// Returns each diagnostic as `line:column: message`, to be compared with a table.
package func complaints(_ body: () throws(Diagnostics) -> Void) -> [String] {
    do throws(Diagnostics) {
        try body()
        return []
    } catch {
        return error.list.map { "\($0.location.line):\($0.location.column): \($0.message)" }
    }
}

package func complaints(_ report: Report) -> [String] {
    complaints { () throws(Diagnostics) in try report.throwIfAny() }
}

/// Parses the nodes of a text.
package func yaml(_ text: String) throws -> YAMLNode {
    try YAMLReader.read(text, file: "t.yaml")
}
