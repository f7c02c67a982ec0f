import RxJQ
import RxJSON

extension PipelineEvent {
    /// The event as one value, without its delivery.
    var saved: JQValue {
        var members: [(String, JQValue)] = [
            ("value", content), ("source", .plain(.string(source))), ("run", .plain(.string(origin.run))),
            ("sequence", .plain(.number(Double(sequence)))), ("time", .plain(.number(time))),
        ]
        if let suffix { members.append(("suffix", .plain(.string(suffix)))) }
        if branch != .main { members.append(("branch", .plain(.number(Double(branch.value))))) }
        return JQValue(uniqueKeysWithValues: members)
    }

    init?(saved: JSON) {
        guard let value = saved["value"], let source = saved["source"]?.string, let run = saved["run"]?.string,
            let sequence = saved["sequence"]?.number.flatMap({ UInt64(exactly: $0) }), let time = saved["time"]?.number
        else { return nil }
        let event = PipelineEvent(value, SourceEvent(source, run: run, sequence: sequence, time: time))
            .on(saved["branch"].flatMap { EventBranch(saved: $0) } ?? .main)
        self = saved["suffix"]?.string.map { event.named($0) } ?? event
    }
}
