/// Collects the errors of a configuration, so that its readers can continue after one.
///
/// Not `Sendable`: one thread reads a configuration.
package final class Report {
    private var seen: Set<Diagnostic> = []
    private var diagnostics: [Diagnostic] = []
    private var warningList: [Diagnostic] = []
    private var sources: [SourceText] = []
    /// The credentials that no message may show.
    package var secrets = Secrets()

    /// Creates an empty report.
    package init() {}

    /// Whether there is no error so far.
    package var isEmpty: Bool { diagnostics.isEmpty }

    /// The number of distinct errors so far; a reader that compares two counts knows whether it failed.
    package var count: Int { diagnostics.count }

    /// The most errors that are shown: a file may have a hundred thousand.
    package static let maximum = 100

    /// Whether further errors are only counted.
    package var isFull: Bool { diagnostics.count >= Self.maximum }

    /// Returns a hint for an unknown name: `nil` if no name is near, an empty text if the report is full.
    package func hint(for name: String, in names: some Sequence<String>) -> String? {
        if isFull { return "" }
        let near = NearestName.hint(for: name, in: names)
        return near.isEmpty ? nil : near
    }

    /// Adds the text of a file, from which the diagnostics about it show the line.
    package func addSource(_ source: SourceText) {
        sources.append(source)
    }

    /// Adds an error. The same error again (for a node that two aliases name) counts once.
    package func add(_ message: String, at location: SourceLocation) {
        add(Diagnostic(message, at: location))
    }

    /// Adds an error, redacted and shortened, unless it is about the placeholder of an unknown credential.
    package func add(_ diagnostic: Diagnostic) {
        guard !secrets.isAboutUnknown(diagnostic.message) else { return }
        let shown = shown(diagnostic)
        if seen.insert(shown).inserted { diagnostics.append(shown) }
    }

    /// Adds a warning about something that is valid, but hardly what was meant. The first of them are kept.
    package func warn(_ message: String, at location: SourceLocation) {
        let warning = shown(Diagnostic(message, at: location, .warning))
        if warningList.count < Self.maximum, !warningList.contains(warning) { warningList.append(warning) }
    }

    /// The warnings in the order in which they were added.
    package var warnings: Diagnostics { Diagnostics(warningList, sources: sources) }

    /// Adds a notice for `check`, about something that is valid and easily misread. The first of them are kept.
    package func notice(_ message: String, at location: SourceLocation) {
        let notice = shown(Diagnostic(message, at: location, .notice))
        if notices.count < Self.maximum, !notices.contains(notice) { notices.append(notice) }
    }

    /// The notices in the order in which they were added.
    package private(set) var notices: [Diagnostic] = []

    private func shown(_ diagnostic: Diagnostic) -> Diagnostic {
        // Redact before shortening: half a credential would not be found.
        Diagnostic(secrets.redacted(diagnostic.message), at: diagnostic.location, diagnostic.severity).shortened
    }

    /// Adds several errors and their source texts.
    package func add(_ more: Diagnostics) {
        sources += more.sources
        more.list.forEach(add)
    }

    /// All errors, grouped by file in the order of the first error, each file from top to bottom.
    package var all: Diagnostics {
        var files: [String: Int] = [:]
        for source in sources where files[source.file] == nil { files[source.file] = files.count }
        for diagnostic in diagnostics where files[diagnostic.location.file] == nil {
            files[diagnostic.location.file] = files.count
        }
        let order = diagnostics.enumerated().sorted { left, right in
            let (a, b) = (left.element.location, right.element.location)
            return (files[a.file] ?? 0, a.line, a.column, left.offset)
                < (files[b.file] ?? 0, b.line, b.column, right.offset)
        }
        var shown = order.map(\.element)
        if let last = shown.dropFirst(Self.maximum - 1).first, shown.count > Self.maximum {
            let rest = Diagnostic("and \(shown.count - Self.maximum) more errors", at: last.location)
            shown.replaceSubrange(Self.maximum..., with: [rest])
        }
        return Diagnostics(shown, sources: sources)
    }

    /// Throws all errors, if there are any.
    package func throwIfAny() throws(Diagnostics) {
        if !isEmpty { throw all }
    }
}
