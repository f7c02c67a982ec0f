import RxJSON

extension PipelineEvent {
    /// A remembered event as JSON. It has no delivery.
    var saved: JSON {
        var saved: JSON = [
            "value": value, "source": .string(source), "run": .string(origin.run),
            "sequence": .number(Double(sequence)),
            "time": .number(time),
        ]
        if let suffix { saved["suffix"] = .string(suffix) }
        if branch != .main { saved["branch"] = .number(Double(branch.value)) }
        return saved
    }

    init?(saved: JSON) {
        guard let value = saved["value"], let source = saved["source"]?.string, let run = saved["run"]?.string,
            let sequence = saved["sequence"]?.number.flatMap({ UInt64(exactly: $0) }), let time = saved["time"]?.number
        else { return nil }
        let event = PipelineEvent(value, SourceEvent(source, run: run, sequence: sequence, time: time))
            .on(saved["branch"].flatMap { EventBranch(saved: $0) } ?? .main)
        self = saved["suffix"]?.string.map { event.part($0) } ?? event
    }
}
