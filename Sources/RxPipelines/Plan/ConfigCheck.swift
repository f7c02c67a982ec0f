import RxControl
import RxDiagnostics
import RxJSON
import RxLinux

/// `rxwatchd --check` and `rxwatchctl check`.
package enum ConfigCheck {
    /// Checks the configuration at `path` and prints the result.
    ///
    /// It prints a line on standard output if the configuration is valid, and its errors on standard error otherwise; as
    /// JSON, both on standard output.
    ///
    /// Credentials that only the service has are listed, and are not errors. Credentials that are too short to be
    /// hidden are warnings, and so are expressions that are hardly meant, more inotify watches than the host allows, and
    /// paths that the sandbox of the service's unit keeps from it, as far as the service
    /// manager describes the sandbox. Paths that do not exist are notices.
    ///
    /// - Parameters:
    ///   - path: the path of the configuration.
    ///   - purpose: the command that checks it.
    ///   - isStrict: whether a configuration with warnings or notices is invalid.
    ///   - asJSON: whether to print the answer as JSON.
    /// - Returns: the exit code.
    package static func run(
        _ path: String, for purpose: ConfigPurpose, isStrict: Bool = false, asJSON: Bool = false
    ) -> Int32 {
        let answer = WaitIndicator.during("the check") { Self.answer(path, for: purpose, isStrict: isStrict) }
        return answer.print(asJSON: asJSON)
    }

    /// The service that runs the configuration.
    private static let service = "rxwatchd.service"

    /// The result of the check.
    ///
    /// - Parameters:
    ///   - path: the path of the configuration.
    ///   - substitution: the values of `${…}`.
    ///   - purpose: the command that checks it.
    ///   - isStrict: whether a configuration with warnings or notices is invalid.
    ///   - watchLimit: the most inotify watches of a user; `nil` if it is unknown.
    ///   - sandbox: returns the sandbox of the service's unit; `nil` if it is unknown.
    static func answer(
        _ path: String, _ substitution: Substitution = .ofProcess(isCheck: true), for purpose: ConfigPurpose = .check,
        isStrict: Bool = false, watchLimit: Int? = FileLimits.current.watches,
        in sandbox: () -> ServiceSandbox? = { ServiceSandbox(of: service) }
    ) -> ControlAnswer {
        do {
            let config = try LoadedConfig(path, substitution, for: purpose)
            let unknown = config.secrets.unknown.sorted()
            let rest = unknown.isEmpty ? "" : "; not checked, since only the service has them: "
            let sandbox = config.plan.usesPaths ? sandbox() : ServiceSandbox()
            let obstacles = sandbox.map { config.plan.obstacles(in: $0, of: service) } ?? []
            let general = config.secrets.warnings + [config.plan.watchWarning(limit: watchLimit)].compactMap(\.self)
            let lines =
                (config.warnings.list.isEmpty ? [] : ["\(config.warnings)"])
                + (general + obstacles).map { "warning: \($0)" }
            let notices = config.plan.missingPaths + config.plan.idleNodes
            let unchecked =
                sandbox == nil
                ? ["not checked: what \(service) may not access; systemd does not describe it"] : []
            let isRefused = isStrict && !(lines.isEmpty && notices.isEmpty)
            let verdict = isRefused ? "has warnings" : "valid"
            let summary = "\(path): \(verdict): \(config.plan.summary)\(rest)\(unknown.joined(separator: ", "))"
            return ControlAnswer(
                ([summary] + lines + notices + unchecked).joined(separator: "\n"),
                exitCode: isRefused ? ExitCode.badConfig : 0,
                details: [
                    "files": .array(config.files.map(JSON.string)), "unknown": .array(unknown.map(JSON.string)),
                    "warnings": .array(
                        (config.warnings.list.map(\.description) + general + obstacles).map(JSON.string)),
                    "notices": .array(notices.map(JSON.string)),
                ])
        } catch {
            return ControlAnswer(badConfig: error)
        }
    }
}

extension ControlAnswer {
    /// The answer for an invalid configuration: its errors as text, and in `details` each with its location.
    package init(badConfig diagnostics: Diagnostics) {
        let errors: [JSON] = diagnostics.list.map { error in
            [
                "file": .string(error.location.file), "line": .number(Double(error.location.line)),
                "column": .number(Double(error.location.column)), "message": .string(error.message),
            ]
        }
        self.init("\(diagnostics)", exitCode: ExitCode.badConfig, details: ["errors": .array(errors)])
    }
}
