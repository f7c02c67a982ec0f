import RxControl
import RxDiagnostics
import RxJSON

/// `rxwatchctl test`: runs the tests of a configuration.
package enum ConfigTests {
    /// The form in which the results are printed.
    package enum Form: Sendable {
        case text, json
        /// The XML of JUnit, which CI systems read.
        case junit
    }

    /// Runs the tests of the configuration at `path`, and prints the results on standard output.
    ///
    /// Prints the errors of the configuration on standard error instead, if it has any; for JUnit, they are a suite
    /// with an error on standard output, too.
    ///
    /// - Parameters:
    ///   - path: the path of the configuration.
    ///   - names: the names of the tests to run; empty for all.
    ///   - form: the form of the results.
    /// - Returns: the exit code.
    package static func run(_ path: String, _ names: [String], as form: Form) -> Int32 {
        let answer = WaitIndicator.during("the tests") { Self.answer(path, names, as: form) }
        // Only an error that prevents the run goes to standard error, not the results of tests that fail.
        let isResult = answer.details["tests"] != nil
        let stream = form == .json || isResult ? StandardStream.output : .error
        // A file for programs has no colors.
        if form == .junit {
            let place = answer.exitCode == ExitCode.badConfig ? "configuration" : "arguments"
            let xml = isResult ? answer.message : TestResult.junit(error: answer.message, in: place, of: path)
            guard StandardStream.output.print(xml) == nil else { return ExitCode.failure }
            if isResult { return answer.exitCode }
        }
        return stream.print(answer, asJSON: form == .json)
    }

    /// The results of the tests.
    static func answer(
        _ path: String, _ names: [String] = [], as form: Form = .text,
        _ substitution: Substitution = .ofProcess(isCheck: true)
    ) -> ControlAnswer {
        let config: LoadedConfig
        do {
            config = try LoadedConfig(path, substitution, for: .test)
        } catch {
            return ControlAnswer(badConfig: error)
        }
        let known = config.plan.tests.map(\.name)
        if let unknown = names.first(where: { !known.contains($0) }) {
            let hint = known.isEmpty ? "; there are none" : NearestName.hint(for: unknown, in: known)
            return ControlAnswer(
                "there is no test '\(unknown.shortened)' in \(path)\(hint)", exitCode: ExitCode.failure)
        }
        let clock = ContinuousClock()
        let chosen = config.plan.tests.filter { names.isEmpty || names.contains($0.name) }
        let results = chosen.map { name, location, test in
            var failures: [String] = []
            let time = clock.measure { failures = ConfigTestRun.failures(of: test, in: config.plan) }
            return TestResult(
                name: name, location: location, failures: failures.map { config.secrets.redacted($0) }, time: time)
        }
        let message =
            switch form {
            case .junit: TestResult.junit(results, of: path)
            case .text, .json: TestResult.text(results, of: path)
            }
        return ControlAnswer(
            message, exitCode: results.allSatisfy(\.hasPassed) ? ExitCode.success : ExitCode.failure,
            details: ["tests": .array(results.map(\.json))])
    }
}
