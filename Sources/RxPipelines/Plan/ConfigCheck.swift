import RxControl
import RxDiagnostics
import RxJSON

/// `rxwatchd --check` and `rxwatchctl check`.
package enum ConfigCheck {
    /// Says whether the config at `path` is good: in a line on standard output if it is, and otherwise what is wrong
    /// with it on standard error; as JSON always on standard output.
    ///
    /// Credentials that only the service has are not missed; which they are is said.
    ///
    /// - Returns: the exit code that says the same.
    package static func run(_ path: String, asJSON: Bool = false) -> Int32 {
        let answer = answer(path)
        answer.print(asJSON: asJSON)
        return answer.exitCode
    }

    private static func answer(_ path: String) -> ControlAnswer {
        do {
            let config = try LoadedConfig(path, .ofProcess(isCheck: true))
            let unknown = config.secrets.unknown.sorted()
            let rest = unknown.isEmpty ? "" : "; what only the service has was not looked at: "
            return ControlAnswer(
                "\(path): good: \(config.plan.summary)\(rest)\(unknown.joined(separator: ", "))",
                details: [
                    "files": .array(config.files.map(JSON.string)), "unknown": .array(unknown.map(JSON.string)),
                ])
        } catch {
            return ControlAnswer(badConfig: error)
        }
    }
}

extension ControlAnswer {
    /// What is wrong with a config: in words, and for programs each mistake with its place.
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
