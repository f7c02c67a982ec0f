import FoundationEssentials

/// What `${…}` stands for in a config: variables of the environment, and the credentials in `$CREDENTIALS_DIRECTORY`.
package struct Substitution: Sendable {
    package let environment: [String: String]
    /// Whether the config is only looked at, perhaps by somebody who has no credentials: these are not missed then.
    package let isCheck: Bool

    package init(environment: [String: String] = [:], isCheck: Bool = false) {
        self.environment = environment
        self.isCheck = isCheck
    }

    /// What this process was given.
    package static var ofProcess: Substitution { ofProcess(isCheck: false) }

    package static func ofProcess(isCheck: Bool) -> Substitution {
        Substitution(environment: ProcessInfo.processInfo.environment, isCheck: isCheck)
    }

    /// Where the service manager puts credentials.
    var credentials: String? {
        environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
