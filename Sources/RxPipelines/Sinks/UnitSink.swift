import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxYAML

/// `unit: { reload: TEMPLATE }`, or `start`, `stop` or `restart`: starts a job of the service manager for each event,
/// and waits for its result.
struct UnitSink: SinkKind {
    let action: UnitAction
    let unit: Template
    let mode: Mode
    let timeout: Duration?
    let retry: RetryPolicy?
    let policy: QueuePolicy
    let settings: SinkSettings
    var spool: Int? { policy.disk }

    /// How conflicting jobs are treated, as `--job-mode` of systemctl.
    enum Mode: String, CaseIterable, Sendable {
        case replace, fail, isolate
        case replaceIrreversibly = "replace-irreversibly"
        case ignoreDependencies = "ignore-dependencies"
        case ignoreRequirements = "ignore-requirements"
    }

    private static let verbs: [(name: String, action: UnitAction)] = [
        ("start", .start), ("stop", .stop), ("restart", .restart), ("reload", .reload),
    ]

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SinkKind)? {
        var fields = FieldReader(node, in: "unit", context)
        var actions: [(name: String, action: UnitAction, unit: Template)] = []
        let given = verbs.filter { node[$0.name] != nil }
        for (name, action) in verbs {
            if let unit = fields.optional(
                name, .template("the name of a unit", example: "nginx.service", pattern: Units.pattern),
                "The unit to \(name)")
            {
                actions.append((name, action, unit))
            }
        }
        let mode =
            fields.optional(
                "mode", .choice() as FieldType<Mode>,
                "What happens to conflicting jobs, as --job-mode of systemctl; default: replace") ?? .replace
        let timeout = fields.optional(
            "timeout", .duration(.milliseconds(1) ... .seconds(86_400)),
            "How long the sink waits for the job; default: no limit")
        let retry = fields.optional("retry", .retryPolicy, "When a failed job is repeated; default: never")
        let policy = QueuePolicy.read(&fields)
        let settings = SinkSettings.read(&fields, recordsAll: true)
        let others = fields.keys.map(\.name).filter { name in !verbs.contains { $0.name == name } }
        _ = fields.breaks(.exactlyOne(verbs.map(\.name)))
        if given.count > 1 {
            context.report.add(
                "a unit sink has one action, found '\(given[0].name)' and '\(given[1].name)'; write a second sink",
                at: fields.location(of: given[1].name))
        } else if given.isEmpty, let pairs = node.mapping, pairs.allSatisfy({ others.contains($0.key) }) {
            // A misspelt action is reported as an unknown key, not as missing, too.
            let names = verbs.map(\.name).joined(separator: ", ")
            context.report.add("unit needs one of \(names), such as { reload: nginx.service }", at: node.location)
        }
        for (name, _, unit) in actions {
            if let complaint = unit.constant.flatMap(Units.complaint) {
                context.report.add(complaint, at: fields.valueLocation(of: name))
            }
        }
        guard fields.finish(example: { _ in "{ restart: nginx.service }" }), let (_, action, unit) = actions.first
        else { return nil }
        return UnitSink(
            action: action, unit: unit, mode: mode, timeout: timeout, retry: retry, policy: policy, settings: settings)
    }

    func action(for event: PipelineEvent, in context: SinkContext) throws -> SinkAction {
        let unit = try unit.render(event, refusesNull: true, for: context.client)
        return SinkAction(
            "\(action.verb) \(unit)",
            ["action": .string(action.verb), "unit": .string(unit), "mode": .string(mode.rawValue)])
    }

    func open(in context: SinkContext) -> any OpenSink {
        let (units, client) = (context.host.units, context.client)
        return SinkQueue(context, policy) { event in
            try unit.render(event, refusesNull: true, for: client)
        } work: { unit, scheduler in
            let job = units.perform(action, on: unit, mode: mode.rawValue)
                .map { result in
                    if !result.isDone {
                        throw UnitFailure(
                            action, unit, "the job ended as \(result.result); see 'systemctl status \(unit)'")
                    }
                }
            let limited = timeout.map { job.timeout($0.interval, scheduler: scheduler.base) } ?? job
            return limited.asObservable().catch { .error(failure(of: unit, $0)) }.retried(
                by: retry, on: scheduler, onRetry: scheduler.onRetry
            )
            .ignoreElements()
        } done: {
            "\(action.verb) \($0)"
        }
    }

    private func failure(of unit: String, _ error: any Error) -> any Error {
        switch error {
        case is UnitFailure, is UnitNameError: error
        case RxError.timeout:
            UnitFailure(
                action, unit,
                "the job did not finish within \(timeout.map(SystemdDuration.format) ?? "its timeout"); "
                    + "it may still be running")
        case let error as BusError where Self.refusals.contains { error.name.hasSuffix($0) }:
            UnitFailure(
                action, unit, "\(error); a polkit rule must allow it, see /usr/share/rxwatchd/drop-ins/units.rules")
        default: UnitFailure(action, unit, "\(error)")
        }
    }

    private static let refusals = [".AccessDenied", ".InteractiveAuthorizationRequired"]
}

/// The failure of a job for a unit.
struct UnitFailure: Error, CustomStringConvertible {
    let description: String

    init(_ action: UnitAction, _ unit: String, _ reason: String) {
        description = "\(action.verb) \(unit): \(reason)"
    }
}

extension UnitAction {
    /// The name of the action in the configuration.
    fileprivate var verb: String {
        rawValue.hasSuffix("Unit") ? rawValue.dropLast(4).lowercased() : rawValue
    }
}
