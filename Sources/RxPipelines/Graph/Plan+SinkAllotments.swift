extension Plan {
    /// What a process begins with: the allotments that the previous one left, for what the config says now. Pipelines
    /// and sinks that the config does not have are forgotten unless something refers to them.
    ///
    /// - Parameter spools: the keys of the sinks of which events are spooled; `nil` if that is not known.
    func sinkAllotments(resuming snapshot: Snapshot, spools: Set<String>?) -> [String: SinkAllotment] {
        let all = sinkAllotments(after: snapshot.sinks)
        guard let spools else { return all }
        let (keys, names) = (snapshot.sinkKeys.union(spools), Set(pipelines.map(\.name)))
        return all.reduce(into: [:]) { rest, each in
            let (name, allotment) = each
            let isReferredTo = { (sink: String) in keys.contains("\(name)/\(sink)") }
            guard names.contains(name) || allotment.names.contains(where: isReferredTo) else { return }
            rest[name] = allotment.forgettingRemoved(unless: isReferredTo)
        }
    }

    /// The allotments for what the config says now. Those of pipelines that it does not have stay: they may come back.
    func sinkAllotments(after before: [String: SinkAllotment]) -> [String: SinkAllotment] {
        pipelines.reduce(into: before) { all, pipeline in
            let sinks = pipeline.sinks.map { (kind: $0.name, content: secrets.redacted($0.content)) }
            let next = all[pipeline.name, default: SinkAllotment()].next(for: sinks)
            all[pipeline.name] = next.names.isEmpty ? nil : next
        }
    }
}
