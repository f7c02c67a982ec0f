import RxEngine

/// A property of every program.
package struct Check: Sendable {
    package enum Verdict: Hashable, Sendable {
        case holds
        /// The check does not apply to the program.
        case discarded
        case fails(expected: Recording, actual: Recording)

        package var isFailure: Bool {
            if case .fails = self { true } else { false }
        }
    }

    package let name: String
    package let run: @Sendable (Program) -> Verdict

    /// The engine does what the model says.
    package static let agreesWithModel = Check(name: "the engine agrees with the model") { program in
        // The engine's recorder stops at this number of entries.
        guard let model = Model.run(program), model.entries.count < Recording.limit else { return .discarded }
        let engine = Engine.run(program)
        if engine.hasRunAway { return .discarded }
        if let broken = engine.brokenRule { return .fails(expected: model, actual: engine.saying(broken)) }
        let isSame =
            model == engine || model.withoutOrderAfterEnds == engine.withoutOrderAfterEnds
            || !program.isChain && model.canonical == engine.canonical
            || program.nestsSequentialOperators && model.withoutOrderOfDisposal == engine.withoutOrderOfDisposal
        return isSame ? .holds : .fails(expected: model, actual: engine)
    }
}

extension Recording {
    /// The rule that every recording of the engine must satisfy, and that this one breaks.
    package var brokenRule: String? {
        if let leak { return leak }
        var ended: Set<Int> = []
        var open: [Entry.Kind: Int] = [:]
        for entry in entries {
            switch entry.kind {
            case .event(let subscriber, let event):
                if ended.contains(subscriber) { return "an event follows an end" }
                if event.isTerminal { ended.insert(subscriber) }
            case .hotSubscribed(let number): open[.hotDisposed(number), default: 0] += 1
            case .began(let id): open[.disposed(id), default: 0] += 1
            case .hotDisposed, .disposed: open[entry.kind, default: 0] -= 1
            case .effect: break
            }
        }
        if open.values.contains(where: { $0 > 0 }) { return "a subscription is never freed" }
        if open.values.contains(where: { $0 < 0 }) { return "a subscription is freed twice" }
        return nil
    }

    func saying(_ rule: String) -> Recording {
        var recording = self
        recording.leak = rule
        return recording
    }
}
