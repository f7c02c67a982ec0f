import FoundationEssentials
import RxDiagnostics
import RxEngine
import RxJSON
import RxLinux
import RxYAML

/// `interval: { every: 10s, delay: 1s, jitter: 500ms, align: local }`, or `interval: 10s`: events `{tick, time}`.
struct IntervalSource: SourceKind {
    let schedule: TickSchedule
    var settings = SourceSettings()
    /// Whether the host's clock and random numbers have no influence.
    private var isVirtual = false

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = FieldReader(node, in: "interval", short: "every", context)
        let every = fields.required("every", .period, "The time between two ticks")
        let delay = fields.optional("delay", .duration, "The time before the first tick, or after each aligned time")
        let jitter = fields.optional("jitter", .duration, "The longest random delay of a tick; default: none")
        let align = fields.optional(
            "align", .choice([("utc", TickSchedule.Clock.utc), ("local", TickSchedule.Clock.local)]),
            "Ticks at multiples of every in the time of day, by this clock")
        let settings = SourceSettings.read(&fields)
        let daily = "for times of day, use 'align', as in { every: 1d, align: local, delay: 3h }"
        guard
            fields.finish(
                advice: ["cron": daily, "calendar": daily, "at": daily], example: { _ in "{ every: 10s }" }), let every
        else { return nil }
        if every <= .zero {
            context.report.add(
                "the period of an interval must be longer than 0, such as 10s", at: fields.location(of: "every"))
            return nil
        }
        if let jitter, jitter >= every {
            context.report.add(
                "'jitter' must be shorter than 'every', or ticks would overtake each other",
                at: fields.location(of: "jitter"))
            return nil
        }
        return IntervalSource(
            schedule: TickSchedule(every: every, delay: delay, jitter: jitter ?? .zero, align: align),
            settings: settings)
    }

    func events(in context: SourceContext) -> Observable<JSON> {
        let scheduler = context.scheduler
        let ticks =
            isVirtual
            ? Observable.ticks(schedule, scheduler: scheduler, jumps: .never(), random: { _ in .zero })
            : Observable.ticks(schedule, scheduler: scheduler, fires: context.fires, onWait: context.waits)
        return ticks.map { tick in
            ["tick": .number(Double(tick)), "time": .number(scheduler.now.timeIntervalSince1970)]
        }
    }

    /// Returns this source without jitter, for virtual time.
    func inVirtualTime() -> (any SourceKind)? {
        var source = self
        source.isVirtual = true
        return source
    }

    var valueType: ValueType { .object(["tick": .number, "time": .number]) }

    var period: Duration? { schedule.every }

    var summary: String { "every \(SystemdDuration.format(schedule.every))" }
}

extension FieldType where Value == Duration {
    /// A duration longer than 0. Only the schema says so: the source itself reports 0.
    fileprivate static var period: Self {
        FieldType(duration.expected, schema: Schema.period, read: duration.reader)
    }
}
