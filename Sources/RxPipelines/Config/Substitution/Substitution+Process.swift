import RxLinux

extension Substitution {
    /// The environment of commands: variables that are for this process alone are not set.
    package static var ofProcess: Substitution { ofProcess(isCheck: false) }

    package static func ofProcess(isCheck: Bool) -> Substitution {
        Substitution(environment: Command.inheritedEnvironment, isCheck: isCheck)
    }
}
