/// Collects what is wrong with a config, so that its readers can go on after a mistake.
///
/// Not `Sendable`: one thread reads a config.
package final class Report {
    private var seen: Set<Diagnostic> = []
    private var diagnostics: [Diagnostic] = []
    private var sources: [SourceText] = []
    /// What no message may show.
    package var secrets = Secrets()

    package init() {}

    /// Whether nothing is wrong so far.
    package var isEmpty: Bool { diagnostics.isEmpty }

    /// How many different things are wrong so far; a reader that compares two counts knows whether it failed.
    package var count: Int { diagnostics.count }

    /// The most that is told: a file may be wrong in a hundred thousand places.
    package static let maximum = 100

    /// Whether what is found from now on is only counted.
    package var isFull: Bool { diagnostics.count >= Self.maximum }

    /// The hint for a name that is none of these, `nil` where none is near; nothing where nobody would read it.
    package func hint(for name: String, in names: some Sequence<String>) -> String? {
        if isFull { return "" }
        let near = Nearest.hint(for: name, in: names)
        return near.isEmpty ? nil : near
    }

    /// The text of a file, to be shown under the diagnostics that are about it.
    package func know(_ source: SourceText) {
        sources.append(source)
    }

    /// One more thing that is wrong. The same thing said twice (a node reached through two aliases) counts once.
    package func add(_ message: String, at location: SourceLocation) {
        add(Diagnostic(message, at: location))
    }

    package func add(_ diagnostic: Diagnostic) {
        guard !secrets.isAboutUnknown(diagnostic.message) else { return }
        // Shortened last: half a credential would not be found.
        let shown = Diagnostic(secrets.redacted(diagnostic.message), at: diagnostic.location).shortened
        if seen.insert(shown).inserted { diagnostics.append(shown) }
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
        var told = order.map(\.element)
        if let last = told.dropFirst(Self.maximum - 1).first, told.count > Self.maximum {
            let rest = Diagnostic("and \(told.count - Self.maximum) more mistakes", at: last.location)
            told.replaceSubrange(Self.maximum..., with: [rest])
        }
        return Diagnostics(told, sources: sources)
    }

    package func throwIfAny() throws(Diagnostics) {
        if !isEmpty { throw all }
    }
}
