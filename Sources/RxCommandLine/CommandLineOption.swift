/// An option of a command line, such as `--json` or `--config PATH`.
package struct CommandLineOption: Sendable, Hashable {
    /// The name with its dashes.
    package let name: String
    /// The short name: one dash and a letter.
    let short: String?
    /// The name of the value, such as `PATH`; `nil` if the option takes none.
    let value: String?
    let defaultValue: String?
    let help: String

    /// Creates an option without a value.
    ///
    /// - Parameters:
    ///   - name: the name without dashes.
    ///   - short: the letter of the short name.
    ///   - help: the text for `--help`: a verb in the imperative, without a full stop.
    package static func flag(_ name: String, short: Character? = nil, _ help: String) -> Self {
        Self(name: "--\(name)", short: short.map { "-\($0)" }, value: nil, defaultValue: nil, help: help)
    }

    /// Creates an option with a value; the last one given counts.
    ///
    /// - Parameters:
    ///   - name: the name without dashes.
    ///   - value: the name of the value, such as `PATH`.
    ///   - short: the letter of the short name.
    ///   - defaultValue: the value if the option is not given.
    ///   - help: the text for `--help`: a verb in the imperative, without a full stop.
    package static func value(
        _ name: String, _ value: String, short: Character? = nil, default defaultValue: String? = nil, _ help: String
    ) -> Self {
        Self(
            name: "--\(name)", short: short.map { "-\($0)" }, value: value, defaultValue: defaultValue, help: help)
    }

    /// The option in a usage line: `--config PATH`.
    var synopsis: String { value.map { "\(name) \($0)" } ?? name }

    static let help = flag("help", short: "h", "print this help and exit")
    static let version = flag("version", "print the version and exit")
    /// The options that every subcommand accepts.
    package static let standard = [version, help]
}

/// An argument that is not an option, such as the path in `check PATH`.
package struct Operand: Sendable, Hashable {
    /// How often an operand may be given.
    enum Count {
        case required, optional
        /// Any number, also none. Only the last operand may have it.
        case repeated
    }

    let name: String
    let count: Count
    let defaultValue: String?
    let help: String

    package static func required(_ name: String, _ help: String) -> Self {
        Self(name: name, count: .required, defaultValue: nil, help: help)
    }

    /// Creates an optional operand, which follows the required ones.
    package static func optional(_ name: String, default defaultValue: String? = nil, _ help: String) -> Self {
        Self(name: name, count: .optional, defaultValue: defaultValue, help: help)
    }

    package static func repeated(_ name: String, default defaultValue: String? = nil, _ help: String) -> Self {
        Self(name: name, count: .repeated, defaultValue: defaultValue, help: help)
    }

    var synopsis: String {
        switch count {
        case .required: name
        case .optional: "[\(name)]"
        case .repeated: "[\(name)]..."
        }
    }
}
