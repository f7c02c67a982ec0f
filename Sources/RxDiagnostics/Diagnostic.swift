/// One thing that is wrong in a config file: where, and a message that says what is wrong and what would be right.
package struct Diagnostic: Error, Sendable, Hashable {
    package let location: SourceLocation
    package let message: String

    package init(_ message: String, at location: SourceLocation) {
        self.location = location
        self.message = message
    }
}

extension Diagnostic: CustomStringConvertible {
    package var description: String { "\(location): \(message)" }
}

/// Everything that is wrong with a config, so that one run tells all of it.
///
/// Printed, each is a line `file:line:column: message`, followed by the line of the file and a caret where its text is
/// known.
package struct Diagnostics: Error, Sendable {
    package var list: [Diagnostic]
    package var sources: [SourceText]

    package init(_ list: [Diagnostic], sources: [SourceText] = []) {
        self.list = list
        self.sources = sources
    }

    package init(_ message: String, at location: SourceLocation) {
        self.init([Diagnostic(message, at: location)])
    }
}

extension Diagnostics {
    /// Each thing by itself, for whoever reports them one by one.
    package var separated: [Diagnostics] {
        list.map { Diagnostics([$0], sources: sources) }
    }
}

extension Diagnostics: CustomStringConvertible {
    package var description: String {
        list.map { diagnostic in
            let excerpt = sources.lazy.compactMap { $0.excerpt(at: diagnostic.location) }.first
            return excerpt.map { "\(diagnostic)\n\($0)" } ?? "\(diagnostic)"
        }.joined(separator: "\n")
    }
}
