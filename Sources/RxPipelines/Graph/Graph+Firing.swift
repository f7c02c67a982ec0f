import RxDiagnostics

extension Graph {
    /// Makes a source with a period emit or poll at once; its next tick or poll is not moved.
    ///
    /// - Returns: the reason why it does not; `nil` if the source was asked to.
    package func fire(_ name: String) -> String? {
        let sources = nodes.filter { $0.fires != nil }.map(\.name)
        guard let node = nodes.first(where: { $0.name == name }) else {
            return "there is no source '\(name.shortened)'\(NearestName.hint(for: name, in: sources))"
        }
        guard node.steps == nil else {
            let own = sources.filter { node.origins.contains($0) }
            return "'\(name)' is a pipeline; "
                + (own.isEmpty
                    ? "none of the sources that it takes events from can be fired"
                    : "fire a source that it takes events from: \(own.joined(separator: ", "))")
        }
        guard let fires = node.fires else {
            return "source '\(name)' cannot be fired, only those of kind interval, http and command; "
                + "rxwatchctl try shows what an event of your own would do"
        }
        guard node.activity.summary.phase == .running else {
            return "source '\(name)' does not run: no pipeline that runs takes its events"
        }
        fires.onNext(())
        return nil
    }
}
