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
    /// hidden are warnings, and so are expressions that are hardly meant, more inotify watches than the host allows,
    /// paths that the sandbox of the service's unit keeps from it, and credentials that the unit does not pass, as far as
    /// the service manager describes the unit. Paths that do not exist, programs that nobody can run, durations without a
    /// unit and nodes that do not run are notices.
    /// Each is printed with its location, like an error.
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

    /// Checks each configuration by itself and prints the results in their order.
    ///
    /// As JSON, the results of several are in one answer.
    ///
    /// - Parameters:
    ///   - paths: the paths of the configurations.
    ///   - purpose: the command that checks them.
    ///   - isStrict: whether a configuration with warnings or notices is invalid.
    ///   - asJSON: whether to print the answer as JSON.
    /// - Returns: the exit code, which is a failure if that of any configuration is.
    package static func run(
        _ paths: [String], for purpose: ConfigPurpose, isStrict: Bool = false, asJSON: Bool = false
    ) -> Int32 {
        let answers = WaitIndicator.during("the check") {
            paths.map { (path: $0, answer: Self.answer($0, for: purpose, isStrict: isStrict)) }
        }
        if asJSON, answers.count > 1 { return Self.answer(ofAll: answers).print(asJSON: true) }
        return answers.map { $0.answer.print(asJSON: asJSON) }.max() ?? ExitCode.success
    }

    /// The results of several configurations as one answer: the worst exit code, all messages, and in `details` the
    /// answer of each.
    static func answer(ofAll answers: [(path: String, answer: ControlAnswer)]) -> ControlAnswer {
        ControlAnswer(
            answers.map(\.answer.message).joined(separator: "\n"),
            exitCode: answers.map(\.answer.exitCode).max() ?? ExitCode.success,
            details: [
                "configurations": .array(
                    answers.map { path, answer in
                        var member = answer.json
                        member["path"] = .string(path)
                        return member
                    })
            ])
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
    ///   - sandbox: returns the sandbox of the service's unit, and its credentials; `nil` if they are unknown.
    static func answer(
        _ path: String, _ substitution: Substitution = .ofProcess(isCheck: true), for purpose: ConfigPurpose = .check,
        isStrict: Bool = false, watchLimit: Int? = FileLimits.current.watches,
        in sandbox: () -> ServiceSandbox? = { ServiceSandbox(of: service) }
    ) -> ControlAnswer {
        do {
            let config = try LoadedConfig(path, substitution, for: purpose)
            let unknown = config.secrets.unknown.sorted()
            let rest = unknown.isEmpty ? "" : "; not checked, since only the service has them: "
            let paths = config.usedPaths
            let credentials = config.usedCredentials(in: paths, of: service)
            let aspects =
                (paths.isEmpty ? [] : ["paths against the sandbox of \(service)"])
                + (credentials.isEmpty ? [] : ["credentials against the unit of \(service)"])
            let sandbox = aspects.isEmpty ? ServiceSandbox() : sandbox()
            let ordered = config.ordered(
                warnings: config.warnings.list + [config.watchWarning(limit: watchLimit)].compactMap(\.self)
                    + (sandbox?.restrictions(to: paths, of: service) ?? [])
                    + (sandbox?.credentials.map { $0.warnings(about: credentials, of: service, substitution) } ?? []),
                notices: config.notices + config.missing(paths) + config.idleNodes)
            let warnings = ordered.filter(\.isWarning).map(\.diagnostic)
            let notices = ordered.filter { !$0.isWarning }.map(\.diagnostic)
            let found = Diagnostics(ordered.map(\.diagnostic), sources: config.warnings.sources)
            let unchecked =
                sandbox == nil
                ? [
                    "not checked: \(aspects.joined(separator: ", and ")): systemd does not answer here, or has no such unit"
                ] : []
            let isRefused = isStrict && !found.list.isEmpty
            let kinds = [("warnings", warnings), ("notices", notices)].filter { !$0.1.isEmpty }.map(\.0)
            let verdict = isRefused ? "has \(kinds.joined(separator: " and "))" : "valid"
            let tests = config.plan.tests.count
            let untested = tests == 0 ? "" : ", \(counted(tests, "test")) (not run: rxwatchctl test runs them)"
            let summary =
                "\(path): \(verdict): \(config.plan.summary)\(untested)\(rest)\(unknown.joined(separator: ", "))"
            return ControlAnswer(
                ([summary] + (found.list.isEmpty ? [] : ["\(found)"]) + unchecked).joined(separator: "\n"),
                exitCode: isRefused ? ExitCode.badConfig : 0,
                details: [
                    "files": .array(config.files.map(JSON.string)), "unknown": .array(unknown.map(JSON.string)),
                    "warnings": .array(warnings.map(\.details)), "notices": .array(notices.map(\.details)),
                ])
        } catch {
            return ControlAnswer(badConfig: error)
        }
    }
}

extension LoadedConfig {
    /// Warnings and notices in the order of the files, and of each file from top to bottom.
    fileprivate func ordered(
        warnings: [Diagnostic], notices: [Diagnostic]
    ) -> [(diagnostic: Diagnostic, isWarning: Bool)] {
        let all =
            warnings.map { (diagnostic: $0, isWarning: true) } + notices.map { (diagnostic: $0, isWarning: false) }
        let numbers = Dictionary(files.enumerated().map { ($1, $0) }) { first, _ in first }
        return all.enumerated().sorted { left, right in
            let (a, b) = (left.element.diagnostic.location, right.element.diagnostic.location)
            return (numbers[a.file] ?? .max, a.line, a.column, left.offset)
                < (numbers[b.file] ?? .max, b.line, b.column, right.offset)
        }.map(\.element)
    }
}

extension ControlAnswer {
    /// The answer for an invalid configuration: its errors as text, and in `details` each with its location.
    package init(badConfig diagnostics: Diagnostics) {
        self.init(
            "\(diagnostics)", exitCode: ExitCode.badConfig,
            details: ["errors": .array(diagnostics.list.map(\.details))])
    }
}

extension Diagnostic {
    /// The location and the message, for programs.
    fileprivate var details: JSON {
        [
            "file": .string(location.file), "line": .number(Double(location.line)),
            "column": .number(Double(location.column)), "message": .string(message),
        ]
    }
}
