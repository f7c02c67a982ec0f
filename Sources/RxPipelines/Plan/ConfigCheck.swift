import RxControl
import RxDiagnostics
import RxJSON
import RxLinux

/// `rxwatchd --check` and `rxwatchctl check`.
package enum ConfigCheck {
    /// Checks the config at `path` and prints the result.
    ///
    /// It prints a line on standard output if the config is valid, and its mistakes on standard error otherwise; as
    /// JSON, both on standard output.
    ///
    /// Credentials that only the service has are listed, and are no mistakes. Credentials that are too short to be
    /// hidden are warnings, and so are paths that the sandbox of the service's unit keeps from it, as far as the service
    /// manager describes the sandbox.
    ///
    /// - Returns: the exit code.
    package static func run(_ path: String, for purpose: ConfigPurpose, asJSON: Bool = false) -> Int32 {
        let answer = answer(path, for: purpose)
        answer.print(asJSON: asJSON)
        return answer.exitCode
    }

    /// The service that runs the config.
    private static let service = "rxwatchd.service"

    /// The result of the check.
    ///
    /// - Parameters:
    ///   - path: the path of the config.
    ///   - substitution: the values of `${…}`.
    ///   - purpose: the command that checks it.
    ///   - sandbox: returns the sandbox of the service's unit; `nil` if it is unknown.
    static func answer(
        _ path: String, _ substitution: Substitution = .ofProcess(isCheck: true), for purpose: ConfigPurpose = .check,
        in sandbox: () -> ServiceSandbox? = { ServiceSandbox(of: service) }
    ) -> ControlAnswer {
        do {
            let config = try LoadedConfig(path, substitution, for: purpose)
            let unknown = config.secrets.unknown.sorted()
            let rest = unknown.isEmpty ? "" : "; not checked, since only the service has them: "
            let obstacles = sandbox().map { config.plan.obstacles(in: $0) } ?? []
            let lines =
                config.secrets.warnings.map { "warning: \($0)" }
                + obstacles.map {
                    "warning: \($0) in \(service); /usr/share/rxwatchd/drop-ins/README explains how to allow it"
                }
            let summary = "\(path): valid: \(config.plan.summary)\(rest)\(unknown.joined(separator: ", "))"
            let notices = config.plan.sources.flatMap { source in source.kind.notices.map { "\(source.name): \($0)" } }
            return ControlAnswer(
                ([summary] + lines + notices).joined(separator: "\n"),
                details: [
                    "files": .array(config.files.map(JSON.string)), "unknown": .array(unknown.map(JSON.string)),
                    "warnings": .array((config.secrets.warnings + obstacles).map(JSON.string)),
                    "notices": .array(notices.map(JSON.string)),
                ])
        } catch {
            return ControlAnswer(badConfig: error)
        }
    }
}

extension ControlAnswer {
    /// The answer for an invalid config: its mistakes as text, and in `details` each with its place.
    package init(badConfig diagnostics: Diagnostics) {
        let mistakes: [JSON] = diagnostics.list.map { mistake in
            [
                "file": .string(mistake.location.file), "line": .number(Double(mistake.location.line)),
                "column": .number(Double(mistake.location.column)), "message": .string(mistake.message),
            ]
        }
        self.init("\(diagnostics)", exitCode: ExitCode.badConfig, details: ["mistakes": .array(mistakes)])
    }
}
