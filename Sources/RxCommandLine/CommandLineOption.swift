/// An option of a command line, such as `--json` or `--config PATH`.
package struct CommandLineOption: Sendable, Hashable {
    /// The name with its dashes.
    package let name: String
    /// One dash and a letter, which mean the same.
    let short: String?
    /// The name of the value, such as `PATH`; `nil` if the option takes none.
    let value: String?
    let defaultValue: String?
    let help: String

    /// An option without a value.
    ///
    /// - Parameters:
    ///   - name: the name without dashes.
    ///   - help: what it does, for `--help`: a verb in the imperative, without a full stop.
    package static func flag(_ name: String, short: Character? = nil, _ help: String) -> Self {
        Self(name: "--\(name)", short: short.map { "-\($0)" }, value: nil, defaultValue: nil, help: help)
    }

    /// An option with a value, of which the last one counts.
    ///
    /// - Parameters:
    ///   - value: the name of the value, such as `PATH`.
    ///   - defaultValue: the value if the option is not given.
    package static func value(
        _ name: String, _ value: String, short: Character? = nil, default defaultValue: String? = nil, _ help: String
    ) -> Self {
        Self(
            name: "--\(name)", short: short.map { "-\($0)" }, value: value, defaultValue: defaultValue, help: help)
    }

    /// `--config PATH`.
    var synopsis: String { value.map { "\(name) \($0)" } ?? name }

    static let help = flag("help", short: "h", "print this help and exit")
    static let version = flag("version", "print the version and exit")
    /// Those that every verb takes.
    package static let standard = [version, help]
}

/// An argument that is no option, such as the path in `check PATH`.
package struct Operand: Sendable, Hashable {
    enum Count {
        case required, optional
        /// Any number, none included. Only the last operand may have it.
        case repeated
    }

    let name: String
    let count: Count
    let defaultValue: String?
    let help: String

    package static func required(_ name: String, _ help: String) -> Self {
        Self(name: name, count: .required, defaultValue: nil, help: help)
    }

    /// Follows those that are required.
    package static func optional(_ name: String, default defaultValue: String? = nil, _ help: String) -> Self {
        Self(name: name, count: .optional, defaultValue: defaultValue, help: help)
    }

    package static func repeated(_ name: String, _ help: String) -> Self {
        Self(name: name, count: .repeated, defaultValue: nil, help: help)
    }

    var synopsis: String {
        switch count {
        case .required: name
        case .optional: "[\(name)]"
        case .repeated: "[\(name)]..."
        }
    }
}
