extension Plan {
    /// The names at the start of a process: those of the previous process, adapted to the configuration. Pipelines and
    /// sinks that the configuration does not have are removed unless a spool, a note or an unsettled event refers to
    /// them.
    ///
    /// - Parameters:
    ///   - snapshot: the snapshot of the previous process.
    ///   - spools: the keys of the sinks that have spooled events; `nil` if unknown, and then nothing is removed.
    func sinkNames(resuming snapshot: Snapshot, spools: Set<String>?) -> [String: SinkNames] {
        let all = sinkNames(after: snapshot.sinks)
        guard let spools else { return all }
        let (keys, names) = (snapshot.sinkKeys.union(spools), Set(pipelines.map(\.name)))
        return all.reduce(into: [:]) { rest, each in
            let (name, sinkNames) = each
            let isReferredTo = { (sink: String) in keys.contains("\(name)/\(sink)") }
            guard names.contains(name) || sinkNames.all.contains(where: isReferredTo) else { return }
            rest[name] = sinkNames.forgettingRemoved(unless: isReferredTo)
        }
    }

    /// The previous names, adapted to the configuration. Those of pipelines that it does not have stay, since a later
    /// configuration may have them again.
    func sinkNames(after before: [String: SinkNames]) -> [String: SinkNames] {
        pipelines.reduce(into: before) { all, pipeline in
            let sinks = pipeline.sinks.map { (kind: $0.name, content: secrets.redacted($0.content)) }
            let next = all[pipeline.name, default: SinkNames()].next(for: sinks)
            all[pipeline.name] = next.all.isEmpty ? nil : next
        }
    }
}
