extension Model {
    /// `do`: the closures around each event, and around subscribing and releasing.
    func watch(_ effects: SideEffects, _ source: ModelSequence) -> ModelSequence {
        ModelSequence { start in
            let upstream = source.run(start.step(1))
            // The condition for an effect: that the run was not over when its cause arrived.
            var notes: [(kind: Entry.Kind, at: Moment, needs: Moment)] = []
            func note(_ callback: SideEffects.Callback, _ value: Int, at moment: Moment, needs: Moment) {
                if effects.closures.contains(callback) {
                    notes.append((.effect(effects.id, callback, value), moment, needs))
                }
            }
            var output = Output()
            for occurrence in upstream.events where !output.isOver {
                let at = occurrence.at
                output.react(at: at)
                if occurrence.event == .outOfBudget {
                    output.emit(.outOfBudget)
                    break
                }
                let before = output.nextCall()
                let (first, second, value) = Self.callbacks(occurrence.event)
                note(first, value, at: before, needs: at)
                let fails =
                    effects.closures.contains(first)
                    && (occurrence.event.isTerminal ? effects.throwsAtEnd : value == effects.throwsAt)
                output.emit(fails ? .error(74) : occurrence.event)
                if !fails { note(second, value, at: output.nextCall(), needs: at) }
            }
            return Run(start: start, events: output.events) { cut, builder in
                for note in notes where note.needs < cut.silence { builder.note(note.kind, at: note.at) }
                func mark(_ callback: SideEffects.Callback, at moment: Moment) {
                    if effects.closures.contains(callback) {
                        builder.note(.effect(effects.id, callback, 0), at: moment)
                    }
                }
                mark(.onSubscribe, at: start.step(0))
                mark(.onSubscribed, at: start.step(3))
                // If it was disposed inside `subscribe`, it is released as soon as that returns.
                let release = cut.request < start.step(2) ? start.step(2) : cut.release.step(0)
                upstream.end(Cut(silence: cut.silence, release: release, request: cut.request), builder)
                mark(.onDispose, at: cut.release.step(1))
            }
        }
    }

    private static func callbacks(
        _ event: ProgramEvent
    ) -> (before: SideEffects.Callback, after: SideEffects.Callback, value: Int) {
        switch event {
        case .next(let value): (.onNext, .afterNext, value)
        case .error(let number): (.onError, .afterError, number)
        case .completed, .outOfBudget: (.onCompleted, .afterCompleted, 0)
        }
    }

    /// `using`: a resource that is released after the sequence.
    func using(_ id: Int, _ fails: OneSource.UsingThrow, _ source: ModelSequence) -> ModelSequence {
        ModelSequence { start in
            switch fails {
            case .resource:
                return Run(start: start, events: [Occurrence(at: start.step(1), event: .error(75))]) { _, _ in }
            case .observable:
                return Run(start: start, events: [Occurrence(at: start.step(1), event: .error(76))]) {
                    $1.note(.began(id), at: start.step(0))
                    $1.note(.disposed(id), at: $0.release)
                }
            case .nothing:
                let upstream = source.run(start.step(1))
                return Run(start: start, events: upstream.events) { cut, builder in
                    builder.note(.began(id), at: start.step(0))
                    let upstreamCut = Cut(
                        silence: cut.silence, release: cut.release.step(0), request: cut.request)
                    upstream.end(upstreamCut, builder)
                    builder.note(.disposed(id), at: cut.release.step(1))
                }
            }
        }
    }

    func failing(_ number: Int) -> ModelSequence {
        ModelSequence { start in
            Run(start: start, events: [Occurrence(at: start.step(0), event: .error(number))]) { _, _ in }
        }
    }
}

extension ModelSequence {
    /// The same sequence as made by an operator, which enters the trampoline.
    var viaTrampoline: ModelSequence { ModelSequence(run) }
}
