/// A type of sequence other than `Observable`, under which a part of a program may be written.
package enum Trait: String, Hashable, Sendable, CaseIterable {
    case single, maybe, completable, infallible, driver, signal

    /// The element that replaces an error when an observable is converted to a sequence without errors.
    package static let standIn = 9

    /// The traits that share one run among their subscribers and deliver on a scheduler.
    package static let shared = [Trait.driver, .signal]

    package var isShared: Bool { Self.shared.contains(self) }

    /// The operators of `Observable` that convert any sequence to one that keeps the promises of the trait.
    package var conversion: [OneSource] {
        switch self {
        case .single: [.asSingle]
        case .maybe: [.asMaybe]
        case .completable: [.ignoreElements]
        case .infallible: [.catchAndReturn(Self.standIn)]
        case .driver, .signal: [.observeOn, .catchAndReturn(Self.standIn), sharing]
        }
    }

    /// The operator that shares a run.
    var sharing: OneSource { .share(replay: self == .driver ? 1 : 0) }
}

extension Node {
    /// The type of sequence that the expression makes before it becomes an observable again; `nil` for an observable.
    /// An operator of a trait on an expression of the same trait uses it as it is; on another, it is converted.
    package var trait: Trait? {
        switch self {
        case .source(.via(let trait, _)): trait
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

    /// The trait of this expression as a source of an operator of `trait` that takes any shared sequence.
    package func sharedTrait(or trait: Trait) -> Trait {
        if let own = self.trait, own.isShared { own } else { trait }
    }
}
