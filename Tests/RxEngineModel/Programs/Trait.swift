/// A type of sequence other than `Observable`, under which a part of a program may be written.
package enum Trait: String, Hashable, Sendable {
    case single, maybe, completable, infallible

    /// What an error becomes where an observable is made infallible.
    package static let standIn = 9
}

extension Node {
    /// The type of sequence that the expression makes before it becomes an observable again, where it is another. An
    /// operator of a trait upon an expression of the same trait takes it as it is; upon another, it is converted.
    package var trait: Trait? {
        switch self {
        case .one(.via(.single, .filter), _), .one(.via(.single, .compactMap), _), .one(.via(.single, .asMaybe), _):
            .maybe
        case .one(.via(.single, .asCompletable), _): .completable
        case .one(.via(.maybe, .ifEmptyDefault), _): .single
        case .one(.via(let trait, _), _): trait
        case .two(.via(.maybe, .ifEmptySwitchSingle), _, _): .single
        case .two(.via(.completable, .andThenTrait(let trait)), _, _): trait
        case .two(.via(let trait, _), _, _): trait
        case .many(.via(let trait, _), _): trait
        case .each(.traitFlatMap(_, let trait), _, _): trait
        case .each(.via(let trait, _), _, _): trait
        default: nil
        }
    }
}
