/// A location in a configuration file: line and column count from 1, and a column is one character, as an editor counts.
package struct SourceLocation: Sendable, Hashable {
    /// The path of the file.
    package let file: String
    /// The line, from 1.
    package let line: Int
    /// The column, from 1.
    package let column: Int

    /// Creates a location.
    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

extension SourceLocation: CustomStringConvertible {
    package var description: String { "\(file):\(line):\(column)" }
}
