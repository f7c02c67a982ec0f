import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxYAML

/// `command: { run: [df, --output=pcent, /], every: 1min, timeout: 10s, directory: / }`: events
/// `{exit, signal, timedOut, stdout, stderr, truncated, duration}`. A command that cannot be started is an event with an
/// `error`.
struct CommandSource: SourceKind {
    let command: Command
    /// `nil` to run once.
    let schedule: TickSchedule?
    var settings = SourceSettings()

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = FieldReader(node, in: "command", context)
        let run = fields.required(
            "run", .commandLine(of: .string), "The program and its arguments, run without a shell")
        let every = fields.every()
        let delay = fields.optional("delay", .duration, "The time before the first run")
        let timeout = fields.optional(
            "timeout", .duration(.milliseconds(1) ... .seconds(86_400)),
            "When a run is terminated; default: the time between runs, or 90s")
        let directory = fields.optional(
            "directory", .string("a path", example: "/").used(.enter), "The working directory of the command")
        let settings = SourceSettings.read(&fields)
        guard
            fields.finish(
                advice: ["environment": "set variables with env(1), as in 'run: [env, NAME=VALUE, program]'"],
                example: { "{ run: \($0.commandLineExample)\(context.isInnerSource ? "" : ", every: 1min") }" }),
            let run
        else { return nil }
        guard run.first?.isEmpty == false else {
            context.report.add(
                "a command needs a program, such as [df, --output=pcent, /]", at: fields.location(of: "run"))
            return nil
        }
        if let timeout, let every, timeout > every {
            context.report.add(
                "a timeout of \(SystemdDuration.format(timeout)) is longer than the "
                    + "\(SystemdDuration.format(every)) from one run to the next; make it shorter than 'every'",
                at: fields.location(of: "timeout"))
            return nil
        }
        return CommandSource(
            command: Command(run, directory: directory, timeout: timeout ?? every ?? .seconds(90)),
            schedule: every.map { TickSchedule(every: $0, delay: delay ?? .zero) }, settings: settings)
    }

    func events(in context: SourceContext) -> Observable<JSON> {
        var command = command
        if let outer = context.outer { command.environment = outer.event.environment(of: outer.pipeline) }
        let memory = context.host.memory
        return results(of: command, in: context).map { result in
            switch result {
            case .success(let result): result.json(within: memory)
            case .failure(let error):
                [
                    "exit": .null, "signal": .null, "stdout": "", "stderr": "", "duration": 0, "timedOut": false,
                    "truncated": false, "error": .string("\(error)"),
                ]
            }
        }
    }

    private func results(
        of command: Command, in context: SourceContext
    ) -> Observable<Result<CommandResult, CommandError>> {
        let scheduler = context.scheduler
        let run: Observable<CommandResult>
        if let outer = context.outer {
            // A storm of events must not start any number of processes.
            run = context.host.commands.run(command, for: outer.pipeline).startedWhenPossible(on: scheduler) { _ in }
        } else {
            run = CommandRunner.run(command)
        }
        guard let schedule else { return CommandRunner.outcome(of: run).observe(on: scheduler) }
        return CommandRunner.poll(run, schedule, scheduler: scheduler, fires: context.fires, onWait: context.waits)
    }

    var isEndless: Bool { schedule != nil }
    var hasLargeValues: Bool { true }

    var period: Duration? { schedule?.every }

    var detail: String { command.action }

    var valueType: ValueType {
        .object([
            "exit": .number, "signal": .number, "stdout": .text, "stderr": .text, "duration": .number,
            "timedOut": .boolean, "truncated": .boolean, "error": .text,
        ])
    }

    /// Returns why the command failed; an exit status other than 0 is an outcome and no failure.
    func failure(in value: JSON) -> String? {
        if let error = value["error"]?.string { return error }
        if value["timedOut"] == true { return "'\(command.program)' took too long and was ended" }
        return value["signal"]?.number.map { "'\(command.program)' was ended by signal \(JSON.number($0))" }
    }

    var summary: String {
        "\(command.program)\(schedule.map { " every \(SystemdDuration.format($0.every))" } ?? "")"
    }
}

extension CommandResult {
    /// The value of the event, without the output if there is no memory for it.
    func json(within memory: MemoryBudget) -> JSON {
        let (isAdmitted, stdout, stderr) = memory.admit(7 * (stdout.bytes.count + stderr.bytes.count)) { isAdmitted in
            isAdmitted ? (true, self.stdout, self.stderr) : (false, CommandResult.Output(), CommandResult.Output())
        }
        var json = json(stdout, stderr)
        if !isAdmitted { json["error"] = .string("no memory for its output: \(memory.shortage)") }
        return json
    }

    private func json(_ stdout: Output, _ stderr: Output) -> JSON {
        [
            "exit": exit.map { .number(Double($0)) } ?? .null, "signal": signal.map { .number(Double($0)) } ?? .null,
            "stdout": .string(stdout.text), "stderr": .string(stderr.text), "duration": .number(duration / .seconds(1)),
            "timedOut": .bool(isTimedOut), "truncated": .bool(stdout.isTruncated || stderr.isTruncated),
        ]
    }
}
