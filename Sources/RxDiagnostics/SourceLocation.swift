/// A place in a config file: line and column count from 1, and a column is one character as an editor counts them.
package struct SourceLocation: Sendable, Hashable {
    package let file: String
    package let line: Int
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

extension SourceLocation: CustomStringConvertible {
    package var description: String { "\(file):\(line):\(column)" }
}
