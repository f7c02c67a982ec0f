import Foundation

/// A file in `deploy/`, with the command-line names that it mentions.
package struct DeployedFile {
    package let text: String

    package init(_ path: String) throws {
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../deploy/\(path)").standardized
        text = try String(contentsOf: root, encoding: .utf8)
    }

    /// The options that a manual page explains, with their dashes.
    package var manualOptions: Set<String> { items(".It Fl ") { "-\($0)" } }

    /// The commands that a manual page explains.
    package var manualCommands: Set<String> { items(".It Cm ") { $0 } }

    /// The journal fields that a manual page explains.
    package var manualFields: Set<String> { items(".It Va ") { $0 } }

    /// The plain words that a manual page explains.
    package var manualWords: Set<String> { items(".It ") { $0 }.subtracting(["Va", "Fl", "Cm"]) }

    /// The words of a manual page that stand for themselves, such as the members of an answer.
    package var manualLiterals: Set<String> { names(".Ql ") }

    /// The variables that a manual page mentions.
    package var manualVariables: Set<String> { names(".Va ") }

    /// The keys of the list after a line "Keys of" and another one with the command.
    package func manualKeys(of command: String) -> [String] {
        let parts = text.components(separatedBy: "Keys of\n.Cm \(command) :\n")
        let list = parts.dropFirst().first?.components(separatedBy: ".El\n").first ?? ""
        return list.split(separator: "\n").filter { $0.hasPrefix(".It Ic ") }
            .flatMap { $0.replacing("\\&", with: "").split(separator: " ").dropFirst(2).map(String.init) }
    }

    private func names(_ macro: String) -> Set<String> {
        Set(
            text.split(separator: "\n").filter { $0.hasPrefix(macro) }
                .compactMap { $0.dropFirst(macro.count).split(separator: " ").first.map(String.init) })
    }

    private func items(_ macro: String, _ name: (String) -> String) -> Set<String> {
        Set(
            text.split(separator: "\n").filter { $0.hasPrefix(macro) }
                .compactMap { $0.dropFirst(macro.count).split(separator: " ").first.map { name(String($0)) } })
    }

    /// The options and the commands that a completion for zsh offers.
    package var zshWords: Set<String> {
        let options = text.matches(of: #/--[a-z]+/#).map { String($0.output) }
        return Set(options + text.matches(of: #/\n +'([a-z]+):/#).map { String($0.output.1) })
    }

    /// The options and the commands that a completion for fish offers.
    package var fishWords: Set<String> {
        let options = text.matches(of: #/\W-l ([a-z]+)/#).map { "--\($0.output.1)" }
        return Set(options + text.matches(of: #/\W-a ([a-z]+) /#).map { String($0.output.1) })
    }

    /// The words that a completion for bash offers.
    package var completedWords: Set<String> {
        let parts = text.components(separatedBy: "compgen -W '").dropFirst()
        return Set(parts.flatMap { $0.prefix { $0 != "'" }.split(separator: " ").map(String.init) })
    }
}
