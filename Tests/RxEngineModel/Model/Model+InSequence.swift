extension Model {
    /// The reaction of an operator to the end of the source that it runs.
    enum Step {
        case run(ModelSequence)
        case pass(ProgramEvent)
    }

    /// One source after the other. The next is started when `subscribe` on the previous one has returned, and that has
    /// been released.
    func inSequence(_ first: ModelSequence, _ makeNext: @escaping () -> (ProgramEvent) throws -> Step) -> ModelSequence
    {
        ModelSequence { start in
            let next = makeNext()
            var events: [Occurrence] = []
            var children = [Child(first, at: start.step(0))]
            running: while let child = children.last {
                guard self.spend(1 + child.run.events.count), children.count < Self.endless else {
                    events.append(Occurrence(at: child.returned.step(9), event: .outOfBudget))
                    break
                }
                events += child.run.events.filter { !$0.event.isTerminal }
                guard let end = child.run.events.last, end.event.isTerminal else { break }
                var step = Step.pass(end.event)
                if end.event != .outOfBudget {
                    do { step = try next(end.event) } catch { step = .pass(.error(Failure.number(of: error))) }
                }
                switch step {
                case .pass(let event):
                    events.append(Occurrence(at: end.at.step(0), event: event))
                    child.end(silence: end.at, release: end.at.step(99))
                    break running
                case .run(let sequence):
                    let begin = max(end.at.step(9), child.returned)
                    child.end(silence: end.at, release: end.at.step(9).step(0))
                    children.append(Child(sequence, at: begin.step(99)))
                }
            }
            return Run(start: start, events: events) { [children] cut, builder in
                for child in children { child.end(cut, builder) }
            }
        }
    }

    func concat(_ sources: [ModelSequence]) -> ModelSequence {
        guard let first = sources.first else { return source(.empty).viaTrampoline }
        return inSequence(first) {
            var rest = sources.dropFirst()
            return { end in
                guard end == .completed, let next = rest.popFirst() else { return .pass(end) }
                return .run(next)
            }
        }
    }

    func catchSequence(_ sources: [ModelSequence]) -> ModelSequence {
        guard let first = sources.first else { return source(.empty).viaTrampoline }
        return inSequence(first) {
            var rest = sources.dropFirst()
            return { end in
                guard case .error = end, let next = rest.popFirst() else { return .pass(end) }
                return .run(next)
            }
        }
    }

    func retry(_ source: ModelSequence, attempts: Int?) -> ModelSequence {
        inSequence(source) {
            var left = attempts.map { $0 - 1 }
            return { end in
                guard case .error = end, left != 0 else { return .pass(end) }
                left = left.map { $0 - 1 }
                return .run(source)
            }
        }
    }

    func repeated(_ source: ModelSequence, _ count: Int) -> ModelSequence {
        if count == 0 { return self.source(.empty).viaTrampoline }
        return inSequence(source) {
            var left = count - 1
            return { end in
                guard end == .completed, left != 0 else { return .pass(end) }
                left -= 1
                return .run(source)
            }
        }
    }

    /// One after the other; the errors follow the last end.
    func concatDelayError(_ sources: [ModelSequence]) -> ModelSequence {
        inSequence(sources[0]) {
            var rest = sources.dropFirst()
            var errors: [Int] = []
            var isOver = false
            return { end in
                if isOver { return .pass(end) }
                if case .error(let number) = end { errors.append(number) }
                if let next = rest.popFirst() { return .run(next) }
                isOver = true
                return .run(self.source(errors.isEmpty ? .empty : .error(Failure.composite(errors))))
            }
        }
    }

    func catchHandler(_ source: ModelSequence, throws fails: Bool, _ other: ModelSequence) -> ModelSequence {
        inSequence(source) {
            var hasCaught = false
            return { end in
                guard case .error = end, !hasCaught else { return .pass(end) }
                hasCaught = true
                if fails { throw Failure(77) }
                return .run(other)
            }
        }
    }

    /// `other` if the source is empty.
    func ifEmpty(_ source: ModelSequence, switchTo other: ModelSequence) -> ModelSequence {
        inSequence(source.markingFirst()) {
            var isOther = false
            return { end in
                // The mark of an empty sequence; see `markingFirst()`.
                guard end == .error(Self.emptyMark), !isOther else { return .pass(end) }
                isOther = true
                return .run(other)
            }
        }
    }

    fileprivate static let emptyMark = -777
}

extension ModelSequence {
    /// Ends in an error of its own if there was no element.
    fileprivate func markingFirst() -> ModelSequence {
        react {
            var isEmpty = true
            return { event, output in
                if case .next = event { isEmpty = false }
                output.emit(event == .completed && isEmpty ? .error(Model.emptyMark) : event)
            }
        }
    }
}
