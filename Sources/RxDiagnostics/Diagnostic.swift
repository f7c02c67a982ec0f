/// An error in a configuration file: its location, and a message that says what is wrong and what to write instead.
///
/// Also a warning or a notice about a valid configuration.
package struct Diagnostic: Error, Sendable, Hashable {
    /// What a diagnostic means for the configuration.
    package enum Severity: String, Sendable {
        /// The configuration is invalid.
        case error
        /// The configuration is valid, but hardly does what was meant.
        case warning
        /// The configuration is valid; something that it names is not ready, or has no effect.
        case notice
    }

    /// The location of the error in the file.
    package let location: SourceLocation
    /// The message, without the location.
    package let message: String
    /// Whether the diagnostic is an error, a warning or a notice.
    package let severity: Severity

    /// Creates an error, a warning or a notice at a location.
    package init(_ message: String, at location: SourceLocation, _ severity: Severity = .error) {
        self.location = location
        self.message = message
        self.severity = severity
    }
}

extension Diagnostic: CustomStringConvertible {
    package var description: String {
        severity == .error ? "\(location): \(message)" : "\(location): \(severity): \(message)"
    }
}

/// All errors of a configuration, so that one run reports them all.
///
/// Each is printed as `file:line:column: message`, followed by the line of the file and a caret if the text is known.
package struct Diagnostics: Error, Sendable {
    /// The errors in the order in which they are printed.
    package var list: [Diagnostic]
    /// The texts of the files that the errors are about, as far as they are known.
    package var sources: [SourceText]

    /// Creates a list of errors.
    package init(_ list: [Diagnostic], sources: [SourceText] = []) {
        self.list = list
        self.sources = sources
    }

    /// Creates a list of one error.
    package init(_ message: String, at location: SourceLocation) {
        self.init([Diagnostic(message, at: location)])
    }
}

extension Diagnostics {
    /// One value for each error, for callers that report them one by one.
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
