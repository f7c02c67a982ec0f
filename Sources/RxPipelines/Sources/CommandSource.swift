import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxYAML

/// `command: { run: [df, --output=pcent, /], every: 1min, timeout: 10s, directory: / }`: events
/// `{exit, signal, stdout, stderr, duration}`. A command that cannot be started is an event with an `error`.
struct CommandSource: SourceKind {
    let command: Command
    /// `nil` for once.
    let schedule: TickSchedule?
    var settings = SourceSettings()

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = Fields(node, in: "command", context)
        let run = fields.required("run", .commandLine(of: .string))
        let every = fields.every()
        let delay = fields.optional("delay", .duration)
        let timeout = fields.optional("timeout", .duration(.milliseconds(1) ... .seconds(86_400)))
        let directory = fields.optional("directory", .string("a path", example: "/"))
        let settings = SourceSettings.read(&fields)
        guard fields.finish(), let run else { return nil }
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
        if let maker = context.maker { command.environment = maker.event.environment(of: maker.pipeline) }
        return results(of: command, on: context.scheduler).map { result in
            switch result {
            case .success(let result): result.json
            case .failure(let error):
                [
                    "exit": .null, "signal": .null, "stdout": "", "stderr": "", "duration": 0, "timedOut": false,
                    "truncated": false, "error": .string("\(error)"),
                ]
            }
        }
    }

    private func results(
        of command: Command, on scheduler: any SchedulerType
    ) -> Observable<Result<CommandResult, CommandError>> {
        if let schedule { return Commands.poll(command, schedule, scheduler: scheduler) }
        return Commands.outcome(of: command).observe(on: scheduler)
    }

    var isEndless: Bool { schedule != nil }

    var period: Duration? { schedule?.every }

    var summary: String {
        "\(command.program)\(schedule.map { " every \(SystemdDuration.format($0.every))" } ?? "")"
    }
}

extension CommandResult {
    /// As an event.
    var json: JSON {
        [
            "exit": exit.map { .number(Double($0)) } ?? .null, "signal": signal.map { .number(Double($0)) } ?? .null,
            "stdout": .string(stdout.text), "stderr": .string(stderr.text), "duration": .number(duration / .seconds(1)),
            "timedOut": .bool(isTimedOut), "truncated": .bool(stdout.isTruncated || stderr.isTruncated),
        ]
    }
}
