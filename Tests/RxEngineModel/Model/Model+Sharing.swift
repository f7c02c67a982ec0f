extension Model {
    /// One run of `source` for all subscribers, of which the model covers one at a time: each then receives what it
    /// would receive unshared.
    func share(_ source: ModelSequence) -> ModelSequence {
        let spans = Spans()
        return ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            simulation.subscribe(source, at: simulation.nextCall())
            let run = simulation.run { _, event, _ in simulation.emit(event) }
            let end = run.events.last.map { $0.event.isTerminal ? $0.at : .never } ?? .never
            return Run(start: start, events: run.events, children: run.children) { cut, builder in
                run.end(cut, builder)
                if cut.silence < min(end, simulation.children[0].attached) { self.meets(.sharingLeftInStart) }
                if !spans.add(from: start, to: min(end, cut.release)) { self.meets(.sharing) }
            }
        }
    }

    /// The spans of time in which a shared sequence has a subscriber.
    private final class Spans {
        private var spans: [(from: Moment, to: Moment)] = []

        /// - Returns: whether it overlaps none of the earlier ones.
        func add(from start: Moment, to end: Moment) -> Bool {
            defer { spans.append((start, end)) }
            return spans.allSatisfy { end < $0.from || $0.to < start }
        }
    }
}
