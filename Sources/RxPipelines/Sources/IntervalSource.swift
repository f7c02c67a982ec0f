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

    static func read(_ node: YAMLNode, _ context: ReadingContext) -> (any SourceKind)? {
        var fields = Fields(node, in: "interval", short: "every", context)
        let every = fields.required("every", .period)
        let delay = fields.optional("delay", .duration)
        let jitter = fields.optional("jitter", .duration)
        let align = fields.optional(
            "align", .choice([("utc", TickSchedule.Clock.utc), ("local", TickSchedule.Clock.local)]))
        let settings = SourceSettings.read(&fields)
        guard fields.finish(), let every else { return nil }
        if every <= .zero {
            context.report.add(
                "an interval's period is longer than nothing, such as 10s", at: fields.location(of: "every"))
            return nil
        }
        if let jitter, jitter >= every {
            context.report.add(
                "a jitter as long as the period would let ticks overtake each other; make it shorter than 'every'",
                at: fields.location(of: "jitter"))
            return nil
        }
        return IntervalSource(
            schedule: TickSchedule(every: every, delay: delay, jitter: jitter ?? .zero, align: align),
            settings: settings)
    }

    func events(in context: SourceContext) -> Observable<JSON> {
        let scheduler = context.scheduler
        return Observable.ticks(schedule, scheduler: scheduler).map { tick in
            ["tick": .number(Double(tick)), "time": .number(scheduler.now.timeIntervalSince1970)]
        }
    }

    var period: Duration? { schedule.every }

    var summary: String { "every \(SystemdDuration.format(schedule.every))" }
}

extension FieldType where Value == Duration {
    /// A duration, of which the schema says that it is longer than nothing.
    fileprivate static var period: Self {
        FieldType(duration.expected, schema: Schema.period, read: duration.reader)
    }
}
