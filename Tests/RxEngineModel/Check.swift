/// What a comparison of the model and the engine found.
package enum Verdict: Hashable, Sendable {
    case same
    /// The model could not run the program to its end.
    case discarded
    case different(model: Recording, engine: Recording)

    package var isDifferent: Bool {
        if case .different = self { true } else { false }
    }
}

/// Runs a program on both.
package func compare(_ program: Program) -> Verdict {
    guard let model = Model.run(program) else { return .discarded }
    let engine = Engine.run(program)
    return model == engine ? .same : .different(model: model, engine: engine)
}
