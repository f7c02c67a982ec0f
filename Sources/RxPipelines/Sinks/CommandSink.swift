import FoundationEssentials
import RxDiagnostics
import RxEngine
import RxJQ
import RxJSON
import RxLinux
import RxYAML

/// `command: { run: [TEMPLATE, …], timeout: 20s, overlap: queue, directory: PATH, environment: { NAME: TEMPLATE } }`:
/// runs a program for each event, with the event as JSON on its standard input and in `RX_…` variables.
struct CommandSink: SinkKind {
    let run: [Template]
    let environment: [(name: String, value: Template)]
    let directory: String?
    let timeout: Duration?
    let retry: RetryPolicy?
    let policy: QueuePolicy
    let settings: SinkSettings
    var spool: Int? { policy.disk }

    /// The output of the program that is read, in bytes. Error messages come at the beginning.
    private static let outputLimit = 8 * 1024

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SinkKind)? {
        var fields = FieldReader(node, in: "command", context)
        let run = fields.required(
            "run", .commandLine(of: .template(example: "/usr/local/bin/renewed")),
            "The program and its arguments, run without a shell")
        let timeout = fields.optional(
            "timeout", .duration(.milliseconds(1) ... .seconds(86_400)),
            "When the command is terminated; default: never")
        let directory = fields.optional(
            "directory", .string("a path", example: "/").used(.enter), "The working directory of the command")
        let environment =
            fields.optional(
                "environment",
                .map(
                    of: .template(example: "\"{{.path}}\"", mayHoldCredential: true),
                    names: "^(?!RX_)[A-Za-z_][A-Za-z0-9_]*$"), "Additional environment variables") ?? []
        for (name, location, _) in environment { check(variable: name, at: location, context.report) }
        let retry = fields.optional("retry", .retryPolicy, "When a failed command is repeated; default: never")
        let policy = QueuePolicy.read(&fields)
        let settings = SinkSettings.read(&fields, recordsAll: true)
        if let run, run.first.map({ $0.constant == "" }) ?? true {
            context.report.add(
                "a command needs a program, such as [/usr/local/bin/renewed, \"{{.path}}\"]",
                at: fields.location(of: "run"))
        }
        guard fields.finish(example: { "{ run: \($0.commandLineExample) }" }), let run else { return nil }
        return CommandSink(
            run: run, environment: environment.map { ($0.name, $0.value) }, directory: directory, timeout: timeout,
            retry: retry, policy: policy, settings: settings)
    }

    private static func check(variable name: String, at location: SourceLocation, _ report: Report) {
        if name.hasPrefix("RX_") {
            report.add(
                "'\(name)' cannot be set: the daemon sets the variables that begin with RX_; choose another name",
                at: location)
        }
        let isName = name.utf8.enumerated().allSatisfy { offset, byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): offset > 0
            default: false
            }
        }
        if name.isEmpty || !isName {
            report.add(
                "'\(name)' is not the name of an environment variable: use letters, digits and '_', as in CERT_PATH",
                at: location)
        }
    }

    func action(for event: PipelineEvent, in context: SinkContext) throws -> SinkAction {
        let command = try command(for: event, of: context.pipeline, [:], context.client)
        var details: JSON = [
            "run": .array(command.words.map(JSON.string)), "input": event.value,
            "environment": SinkAction.members((command.environment ?? [:]).sorted { $0.key < $1.key }.map { ($0, $1) }),
        ]
        if let directory { details["directory"] = .string(directory) }
        return SinkAction(command.action, details)
    }

    func open(in context: SinkContext) -> any OpenSink {
        let inherited = Command.inheritedEnvironment
        return SinkQueue(context, policy, maximum: 1) { event in
            try command(for: event, of: context.pipeline, inherited, context.client)
        } batchWork: { batch, jobs, scheduler in
            guard let command = jobs.first?.job else { return .empty() }
            // Holds the batch until all processes of the command have ended, also if it is cancelled. The next command
            // starts after that.
            return CommandRunner.run(command, onStart: { batch.hold() })
                .startedWhenPossible(on: scheduler) { error in
                    context.record(.warning, "\(error); retrying", error: error.cause)
                }
                .map { try CommandFailure.check($0, of: command) }
                .retried(by: retry, on: scheduler, onRetry: scheduler.onRetry).ignoreElements()
        } done: {
            "exited with 0: \(context.secrets.redacted($0.words.commandLine).shortened)"
        }
    }

    private func command(
        for event: PipelineEvent, of pipeline: String, _ inherited: [String: String], _ client: JQClient?
    ) throws -> Command {
        var variables = event.environment(of: pipeline, inherited)
        for (name, value) in environment { variables[name] = try value.render(event, refusesNull: true, for: client) }
        var command = Command(
            try run.map { try $0.render(event, refusesNull: true, for: client) }, environment: variables,
            directory: directory, timeout: timeout)
        command.input = event.value.bytes + [UInt8(ascii: "\n")]
        command.outputLimit = Self.outputLimit
        return command
    }
}

/// A command that ran and did not succeed.
struct CommandFailure: Error, CustomStringConvertible {
    let program: String
    let timeout: Duration?
    let result: CommandResult

    static func check(_ result: CommandResult, of command: Command) throws(CommandFailure) {
        if result.isTimedOut || result.signal != nil || result.exit ?? 0 != 0 {
            throw CommandFailure(program: command.program, timeout: command.timeout, result: result)
        }
    }

    var description: String {
        let detail = firstLine.map { ": \($0)" } ?? ""
        return "'\(program)' \(outcome)\(detail)"
    }

    private var outcome: String {
        if result.isTimedOut {
            return "took longer than \(timeout.map(SystemdDuration.format) ?? "it may") and was ended"
        }
        if let signal = result.signal { return "was ended by signal \(signal)" }
        return "exited with \(result.exit.map { "\($0)" } ?? "an unknown status")"
    }

    /// The first line on standard error that is not blank, shortened.
    private var firstLine: String? {
        result.stderr.text.split(whereSeparator: \.isNewline).lazy
            .map { $0.split(separator: " ").joined(separator: " ") }
            .first { !$0.isEmpty }
            .map { $0.count > 200 ? "\($0.prefix(200))…" : $0 }
    }
}
