import Glibc
import RxControl
import RxDiagnostics
import RxJSON

/// `rxwatchctl try` and `rxwatchctl replay`: shows what events would do, without doing it.
package struct ConfigTrial {
    /// The input from which the events are read.
    package enum InputKind: Sendable {
        /// Values of one node: JSON in a file, or in each of its lines, with this time between two of them.
        case values(node: String, every: Duration)
        /// A recording, with a node and a time in each line.
        case recording
        /// The entries that the journal sources match, of the time `since` before now, in `directory` or where they are.
        case journal(since: Duration, directory: String?)
    }

    /// The path of the configuration.
    let config: String
    let events: InputKind
    /// The texts `OTHER=JSON` or `OTHER=FILE`: what other nodes emit before the events.
    let others: [String]
    /// The texts `PIPELINE=JSON`: what the source in the steps of a pipeline emits.
    let results: [String]
    let length: Duration
    /// The path of another configuration, whose trial is compared with this one.
    var other: String?

    package init(
        _ config: String, _ events: InputKind, with others: [String] = [], results: [String] = [],
        for length: Duration,
        against other: String? = nil
    ) {
        (self.config, self.events, self.others, self.results) = (config, events, others, results)
        (self.length, self.other) = (length, other)
    }

    /// The largest file of events, in bytes.
    private static let maximumSize = 64 << 20

    /// Runs the trial with the events in a file, and prints what happens.
    ///
    /// - Parameters:
    ///   - file: the path of the file; `-` for standard input.
    ///   - asJSON: whether to print JSON.
    /// - Returns: the exit code.
    package func run(_ file: String, asJSON: Bool) -> Int32 {
        let columns = asJSON ? nil : StandardStream.output.columns
        if case .journal = events {
            let answer = WaitIndicator.during("the journal and the trial") { self.answer([], columns: columns) }
            return print(answer, asJSON: asJSON)
        }
        let bytes: [UInt8]
        if file == "-", isatty(STDIN_FILENO) == 1 {
            StandardStream.error.print("write events as JSON, each in a line of its own, and then Ctrl-D")
        }
        do {
            bytes =
                file == "-"
                ? try FileBytes.standardInput(limit: Self.maximumSize)
                : try FileBytes.read(file, limit: Self.maximumSize, pipes: .unlimited)
        } catch {
            let answer = ControlAnswer(
                "cannot read the events in \(file): \(error.reason)", exitCode: ExitCode.failure)
            return answer.print(asJSON: asJSON)
        }
        let answer =
            bytes.count > Self.maximumSize
            ? ControlAnswer("the events take more than \(Self.maximumSize >> 20) MiB", exitCode: ExitCode.failure)
            : WaitIndicator.during("the trial") { self.answer(bytes, from: file, columns: columns) }
        return print(answer, asJSON: asJSON)
    }

    /// Prints the answer: on standard output if it has a result, which it has also if something has failed.
    private func print(_ answer: ControlAnswer, asJSON: Bool) -> Int32 {
        let stream = asJSON || answer.details["entries"] != nil ? StandardStream.output : .error
        return stream.print(answer, asJSON: asJSON)
    }

    /// What the events in a text would do.
    ///
    /// - Parameters:
    ///   - file: the path of the file with the text, for messages; `-` for standard input.
    ///   - columns: the number of columns of the terminal, to which lines are cut; `nil` for whole lines.
    func answer(
        _ bytes: [UInt8], from file: String = "-", _ substitution: Substitution = .ofProcess(isCheck: true),
        columns: Int? = nil
    ) -> ControlAnswer {
        let table = TrialTable(columns: columns)
        do {
            var start: String?
            let inputs: (Plan) throws -> [TrialInput]
            switch events {
            case .values(let node, let every):
                let values = try Self.parsed(file) { try TrialInput.values(bytes, for: node, every: every) }
                inputs = { _ in values }
            case .recording:
                let recording = try Self.parsed(file) { try TrialInput.recording(bytes) }
                inputs = { _ in recording }
            case .journal(let length, let directory):
                let journal = JournalInputs(of: length, in: directory)
                inputs = journal.inputs
                start = journal.shownStart
            }
            let entries = try entries(of: inputs, in: config, substitution)
            guard let other else { return Self.answer(entries, from: start, in: table) }
            let others = try self.entries(of: inputs, in: other, substitution)
            return Self.answer(others, comparedWith: entries, in: table)
        } catch let error as TrialInput.Failure {
            return ControlAnswer(error.message, exitCode: ExitCode.failure)
        } catch let error as Diagnostics {
            return ControlAnswer(badConfig: error)
        } catch {
            return ControlAnswer("\(error)", exitCode: ExitCode.failure)
        }
    }

    /// The events in a file. Its name is part of the message if they cannot be read.
    private static func parsed(_ file: String, _ parse: () throws -> [TrialInput]) throws -> [TrialInput] {
        do {
            return try parse()
        } catch let error as TrialInput.Failure where file != "-" {
            let isConfig = file.hasSuffix(".yaml") || file.hasSuffix(".yml")
            let hint = isConfig ? "; give the configuration with --config" : ""
            throw TrialInput.Failure(message: "\(file): \(error.message)\(hint)")
        }
    }

    private func entries(
        of events: (Plan) throws -> [TrialInput], in path: String, _ substitution: Substitution
    ) throws -> [Trial.Entry] {
        let loaded = try LoadedConfig(path, substitution, for: .trial)
        let plan = loaded.plan
        let nodes = plan.sources.map(\.name) + plan.pipelines.map(\.name)
        var inputs = try events(plan)
        // A pipeline may have another name in the configuration that it is compared with.
        if other != nil, case .recording = self.events { inputs = inputs.filter { nodes.contains($0.node) } }
        if let unknown = inputs.map(\.node).first(where: { !nodes.contains($0) }) {
            let hint = nodes.isEmpty ? "; there are none" : NearestName.hint(for: unknown, in: nodes)
            throw TrialInput.Failure(message: "there is no source or pipeline '\(unknown.shortened)' in \(path)\(hint)")
        }
        inputs += try initialInputs(besides: inputs.first?.node ?? "", in: plan, path)
        var trial = Trial(plan: plan, inputs: inputs, length: length)
        if case .recording = self.events { trial.isRecording = true }
        for text in results {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let value = try? JSON(parsing: Array(parts[1].utf8)) else {
                throw TrialInput.Failure(
                    message:
                        "'\(text.shortened)' is not a result: write PIPELINE=JSON, such as \(nodes.last ?? "p")={\"ok\":true}"
                )
            }
            guard let pipeline = plan.pipelines.first(where: { $0.name == parts[0] }) else {
                throw TrialInput.Failure(
                    message: "there is no pipeline '\(parts[0].shortened)' in \(path)"
                        + NearestName.hint(for: parts[0], in: plan.pipelines.map(\.name)))
            }
            guard pipeline.steps.contains(where: \.startsSources) else {
                throw TrialInput.Failure(
                    message: "no step of pipeline '\(parts[0])' starts a source, so it takes no result")
            }
            trial.results[parts[0]] = value
        }
        let (all, isWhole) = trial.run()
        guard isWhole else {
            throw TrialInput.Failure(
                message:
                    "more than \(all.count) lines of output, the last at \(all.last?.shownTime ?? "the beginning"): "
                    + "give a shorter time with --for, or fewer events")
        }
        let entries = all.map { $0.hiding(loaded.secrets) }
        // The location in the configuration is the same in both.
        return other == nil ? entries : entries.map { $0.withoutPaths(loaded.files) }
    }

    /// The values that other nodes emit before the events of `node`.
    private func initialInputs(besides node: String, in plan: Plan, _ path: String) throws -> [TrialInput] {
        let nodes = plan.sources.map(\.name) + plan.pipelines.map(\.name)
        let useful = plan.inputs(besides: node)
        return try others.flatMap { text -> [TrialInput] in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw TrialInput.Failure(
                    message: "'\(text.shortened)' gives no value: write OTHER=JSON or OTHER=FILE, such as "
                        + "\(useful.first ?? "other")={\"ok\":true}")
            }
            let name = parts[0]
            guard nodes.contains(name) else {
                throw TrialInput.Failure(
                    message: "there is no source or pipeline '\(name.shortened)' in \(path)"
                        + NearestName.hint(for: name, in: useful.isEmpty ? nodes : useful))
            }
            guard useful.contains(name) else {
                let others =
                    useful.isEmpty
                    ? "these take events of no other node"
                    : "these also take events of \(useful.joined(separator: ", "))"
                throw TrialInput.Failure(
                    message: "--with \(name): it gives no event to the pipelines that get those of '\(node)'; \(others)"
                )
            }
            return try Self.values(parts[1], of: name).map {
                TrialInput(node: name, time: .zero, value: $0.value, isInitial: true)
            }
        }
    }

    /// The values in a text, or in the file that it names.
    private static func values(_ text: String, of node: String) throws -> [TrialInput] {
        if let value = try? JSON(parsing: Array(text.utf8)) {
            return [TrialInput(node: node, time: .zero, value: value)]
        }
        let bytes: [UInt8]
        do {
            bytes = try FileBytes.read(text, limit: maximumSize, pipes: .unlimited)
        } catch {
            throw TrialInput.Failure(
                message:
                    "--with \(node): '\(text.shortened)' is neither JSON nor a file that can be read: \(error.reason)")
        }
        return try parsed(text) { try TrialInput.values(bytes, for: node, every: .zero) }
    }

    /// The entries as a table. A failure of the pipelines is the exit status of the trial.
    ///
    /// - Parameters:
    ///   - start: the date and time from which the times count, if there is one.
    ///   - table: how it is laid out.
    private static func answer(_ entries: [Trial.Entry], from start: String?, in table: TrialTable) -> ControlAnswer {
        let actions = entries.count { if case .action = $0.kind { true } else { false } }
        let failures = entries.count { if case .failed = $0.kind { true } else { false } }
        let summary =
            (actions == 0 ? "no sink would act" : "\(counted(actions, "action")) in place of sinks")
            + (failures == 0 ? "" : ", \(counted(failures, "failure"))")
        let times = start.map { ["times are since \($0)"] } ?? []
        return ControlAnswer(
            (times + table.lines(entries) + [summary]).joined(separator: "\n"),
            exitCode: failures == 0 ? ExitCode.success : ExitCode.failure,
            details: ["entries": .array(entries.map(\.json))])
    }

    /// The difference of two trials.
    private static func answer(
        _ old: [Trial.Entry], comparedWith new: [Trial.Entry], in table: TrialTable
    ) -> ControlAnswer {
        let (lines, count) = table.difference(of: new, from: old)
        let isSame = count == 0
        return ControlAnswer(
            (lines + [isSame ? "the same" : "\(counted(count, "difference"))"]).joined(separator: "\n"),
            exitCode: isSame ? ExitCode.success : ExitCode.failure,
            details: ["entries": .array(new.map(\.json)), "against": .array(old.map(\.json))])
    }
}

extension Trial.Entry {
    fileprivate var json: JSON {
        var entry: JSON = ["time": .number(Double(time) / 1_000_000), "node": .string(node)]
        switch kind {
        case .emitted(let value): entry["value"] = value
        case .action(let action):
            entry["action"] = action.details
            entry["text"] = .string(action.text)
        case .started(let source): entry["starts"] = .string(source)
        case .failed(let message): entry["failed"] = .string(message)
        case .idle(let reason): entry["idle"] = .string(reason)
        case .withheld(let step, let location, let count, let silent):
            entry["withheld"] = .number(Double(count))
            entry["step"] = .string(step)
            if !location.isEmpty { entry["location"] = .string(location) }
            if !silent.isEmpty { entry["without"] = .array(silent.map(JSON.string)) }
        case .uncombined(let combination, let silent):
            entry["combination"] = .string(combination)
            entry["without"] = .array(silent.map(JSON.string))
        }
        return entry
    }

    /// A failure without the paths of the configuration before its locations, or a step without its location.
    fileprivate func withoutPaths(_ files: [String]) -> Trial.Entry {
        if case .withheld(let step, _, let count, let silent) = kind {
            return Trial.Entry(
                time: time, node: node, kind: .withheld(step: step, at: "", count: count, without: silent))
        }
        guard case .failed(let message) = kind else { return self }
        let text = files.reduce(message) { $0.replacing("\($1):", with: "") }
        return Trial.Entry(time: time, node: node, kind: .failed(text))
    }

    fileprivate func hiding(_ secrets: Secrets) -> Trial.Entry {
        let hidden: Kind =
            switch kind {
            case .emitted(let value): .emitted(secrets.redacted(value))
            case .action(let action):
                .action(SinkAction(secrets.redacted(action.text), secrets.redacted(action.details)))
            case .started(let source): .started(secrets.redacted(source))
            case .failed(let message): .failed(secrets.redacted(message))
            case .idle, .withheld, .uncombined: kind
            }
        return Trial.Entry(time: time, node: node, kind: hidden)
    }
}
