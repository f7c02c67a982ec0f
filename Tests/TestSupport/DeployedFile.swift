import Foundation

/// A file in `deploy/`, with the command-line names that it mentions.
package struct DeployedFile {
    private let text: String

    package init(_ path: String) throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../deploy/\(path)").standardized
        text = try String(contentsOf: root, encoding: .utf8)
    }

    /// The options that a manual page explains, with their dashes.
    package var manualOptions: Set<String> { items(".It Fl ") { "-\($0)" } }

    /// The commands that a manual page explains.
    package var manualCommands: Set<String> { items(".It Cm ") { $0 } }

    private func items(_ macro: String, _ name: (String) -> String) -> Set<String> {
        Set(
            text.split(separator: "\n").filter { $0.hasPrefix(macro) }
                .compactMap { $0.dropFirst(macro.count).split(separator: " ").first.map { name(String($0)) } })
    }

    /// The words that a completion offers.
    package var completedWords: Set<String> {
        let parts = text.components(separatedBy: "compgen -W '").dropFirst()
        return Set(parts.flatMap { $0.prefix { $0 != "'" }.split(separator: " ").map(String.init) })
    }
}
