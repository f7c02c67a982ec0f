import RxDiagnostics
import RxLinux

/// A path that a source, a step or a sink uses, for the warnings of `check`.
struct ConfiguredPath: Sendable {
    /// The path as it is written; `nil` for the journal of the system.
    let text: String?
    let use: PathAccess
    /// Whether events fail until the path exists.
    let isRequired: Bool
    /// The location of the path in the configuration; for the journal of the system, that of its source.
    let location: SourceLocation

    init(_ path: String, _ use: PathAccess, isRequired: Bool = false, at location: SourceLocation) {
        (text, self.use, self.isRequired, self.location) = (path, use, isRequired, location)
    }

    private init(journalOfSystemAt location: SourceLocation) {
        (text, use, isRequired, self.location) = (nil, .read, false, location)
    }

    /// The journal of the system, whose file is searched for when the path is asked for.
    static func journalOfSystem(at location: SourceLocation) -> Self { Self(journalOfSystemAt: location) }

    /// Whether the path is absolute: that of a file.
    var isAbsolute: Bool { text?.hasPrefix("/") ?? true }

    /// Whether the path has a template in it, so that it is only known for an event.
    var isTemplate: Bool { text?.contains("{{") ?? false }

    /// What the path of a program is if it is a whole command line; `nil` if no space is before its first template.
    var commandLine: CommandLineText? {
        guard use == .run, let text, beforeTemplate?.contains(" ") == true else { return nil }
        return CommandLineText(text)
    }

    /// The path up to its first template.
    var beforeTemplate: Substring? { text.map { $0[..<($0.firstRange(of: "{{")?.lowerBound ?? $0.endIndex)] } }
}

extension FieldType where Value == String {
    /// This type, whose value is noted as a path that the configuration uses.
    func used(_ use: PathAccess, isRequired: Bool = true) -> Self {
        FieldType(expected, schema: schema) { node, context in
            guard let path = reader(node, context) else { return nil }
            context.note(ConfiguredPath(path, use, isRequired: isRequired, at: node.location))
            return path
        }
    }
}
