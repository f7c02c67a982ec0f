/// The inner sequences of a run of `window` or `groupBy`. Each behaves as a subject.
final class InnerSequences {
    private var events: [[Occurrence]] = []

    /// Opens another inner sequence.
    func open() -> Int {
        events.append([])
        return events.count - 1
    }

    func send(_ event: ProgramEvent, to number: Int, at moment: Moment) {
        events[number].append(Occurrence(at: moment, event: event))
    }

    func sequence(_ number: Int) -> ModelSequence {
        ModelSequence(isDirect: true) { start in
            let all = self.events[number]
            if let last = all.last, last.event.isTerminal, last.at < start {
                return Run(start: start, events: [Occurrence(at: start.step(0), event: last.event)]) { _, _ in }
            }
            return Run(start: start, events: Model.events(all, from: start)) { _, _ in }
        }
    }
}

extension Model {
    /// A sequence of the numbers of inner sequences, flattened.
    func flattenInner(
        _ flattening: OneSource.WindowFlattening, _ makeOuter: @escaping (InnerSequences) -> ModelSequence
    ) -> ModelSequence {
        ModelSequence { start in
            let inner = InnerSequences()
            let outer = makeOuter(inner)
            let flat =
                switch flattening {
                case .merge: self.flatten(outer, limit: .max) { inner.sequence($0) }
                case .concat: self.flatten(outer, limit: 1) { inner.sequence($0) }
                case .switchLatest: self.flattenLatest(outer) { inner.sequence($0) }
                case .count:
                    outer.react {
                        { event, output in
                            if case .next = event { output.next(1) } else { output.emit(event) }
                        }
                    }
                }
            return flat.run(start)
        }
    }

    /// The first window opens at the subscription. The end of one precedes the next.
    func window(_ source: ModelSequence, _ span: Int, _ count: Int, into inner: InnerSequences) -> ModelSequence {
        ModelSequence { start in
            let simulation = OperatorSimulation(self, at: start)
            var current = inner.open()
            simulation.next(current)
            var number = 0
            simulation.setTimer(0, after: span, at: simulation.nextCall())
            simulation.subscribe(source, at: simulation.nextCall())
            var filled = 0
            func advance() {
                filled = 0
                inner.send(.completed, to: current, at: simulation.nextCall())
                current = inner.open()
                simulation.next(current)
                number += 1
                simulation.setTimer(number, after: span, at: simulation.nextCall())
            }
            return simulation.run { cause, event, _ in
                switch (cause, event) {
                case (.timer(number), _): advance()
                case (.timer, _): break
                case (_, .next):
                    inner.send(event, to: current, at: simulation.nextCall())
                    filled += 1
                    if filled == count { advance() }
                default:
                    inner.send(event, to: current, at: simulation.nextCall())
                    simulation.emit(event)
                }
            }
        }
    }

    /// The first element of a group follows the group directly.
    func groupBy(
        _ source: ModelSequence, _ modulus: Int, _ throwsAt: Int?, into inner: InnerSequences
    ) -> ModelSequence {
        source.react {
            var groups: [Int: Int] = [:]
            var order: [Int] = []
            return { event, output in
                var event = event
                if case .next(throwsAt) = event { event = .error(78) }
                guard case .next(let value) = event else {
                    for group in order { inner.send(event, to: group, at: output.nextCall()) }
                    return output.emit(event)
                }
                let key = value % modulus
                let group = groups[key] ?? inner.open()
                if groups.updateValue(group, forKey: key) == nil {
                    order.append(group)
                    output.next(group)
                }
                inner.send(event, to: group, at: output.nextCall())
            }
        }
    }
}
