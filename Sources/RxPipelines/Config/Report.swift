/// Where the readers of a config put what they find wrong while they read on.
///
/// Not `Sendable`: one thread reads a config.
package final class Report {
    private var seen: Set<Diagnostic> = []
    private var diagnostics: [Diagnostic] = []
    private var sources: [SourceText] = []

    package init() {}

    /// Whether nothing is wrong so far.
    package var isEmpty: Bool { diagnostics.isEmpty }

    /// How many different things are wrong so far; a reader that compares two counts knows whether it failed.
    package var count: Int { diagnostics.count }

    /// The text of a file, to be shown under the diagnostics that are about it.
    package func know(_ source: SourceText) {
        sources.append(source)
    }

    /// One more thing that is wrong. The same thing said twice (a node reached through two aliases) counts once.
    package func add(_ message: String, at location: SourceLocation) {
        add(Diagnostic(message, at: location))
    }

    package func add(_ diagnostic: Diagnostic) {
        if seen.insert(diagnostic).inserted { diagnostics.append(diagnostic) }
    }

    package func add(_ more: Diagnostics) {
        sources += more.sources
        more.list.forEach(add)
    }

    /// Everything found, file by file in the order they were first met, each from top to bottom.
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
        return Diagnostics(order.map(\.element), sources: sources)
    }

    package func throwIfAny() throws(Diagnostics) {
        if !isEmpty { throw all }
    }
}
