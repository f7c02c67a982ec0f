/// The values of references `${…}` in a configuration: variables, and the credentials in `$CREDENTIALS_DIRECTORY`.
package struct Substitution: Sendable {
    package let environment: [String: String]
    /// Whether the configuration is only checked, so that missing credentials are not errors.
    package let isCheck: Bool

    package init(environment: [String: String] = [:], isCheck: Bool = false) {
        self.environment = environment
        self.isCheck = isCheck
    }

    /// The directory in which the service manager puts the credentials; `nil` if there is none.
    var credentials: String? {
        environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 }
    }
}
