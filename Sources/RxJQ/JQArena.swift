internal import CJQ
import RxEngine

// Unchecked: the locks guard all mutable state.
/// Owns the values of one component that stay in jq's representation from one expression to the next.
///
/// jq counts references without atomics, and a value shares parts with others and with the literals of the program that
/// made it. So these values are only used under the arena's lock, and only by programs of its own. A program gets one
/// here when it is run often: before, its values are converted for each run, and one compilation serves all components.
package final class JQArena: @unchecked Sendable {
    private let runsBeforeCompiling: Int
    /// Held while values are used, also for a whole evaluation.
    private let lock = Lock()
    private var states: [ObjectIdentifier: OwnState] = [:]
    private let garbageLock = Lock()
    /// Values to free that were released while another thread, or an evaluation on this one, was using values.
    private var garbage: [jv] = []

    private struct OwnState {
        weak var code: JQCode?
        let state: JQState
    }

    package convenience init() {
        self.init(compilingAfter: JQCode.runsInUnit)
    }

    /// - Parameter runs: how often a program is run before it gets a state of its own here.
    package init(compilingAfter runs: Int) {
        runsBeforeCompiling = runs
    }

    deinit {
        for raw in garbage { jv_free(raw) }
    }

    /// The number of programs that have a state here.
    package var stateCount: Int { lock.locked { states.count } }

    /// Calls `body` while no other thread uses values of this arena.
    func use<Result>(_ body: () -> Result) -> Result {
        lock.locked {
            defer { freeGarbage() }
            return body()
        }
    }

    /// Frees a value now, or at the end of the use that goes on.
    func free(_ raw: jv) {
        if lock.lockedIfFree({ jv_free(raw) }) == nil { garbageLock.locked { garbage.append(raw) } }
    }

    private func freeGarbage() {
        let freed = garbageLock.locked { () -> [jv] in
            if garbage.isEmpty { return [] }
            defer { garbage = [] }
            return garbage
        }
        for raw in freed { jv_free(raw) }
    }

    /// Every output for an input; `nil` if the program is run too seldom to have a state here.
    func run(
        _ code: JQCode, _ input: JQValue, _ values: [String: JQValue], for program: JQProgram
    ) throws(JQError) -> [JQValue]? {
        if !code.isRunOften(runsBeforeCompiling) { return nil }
        // Not under this lock, as it takes that of the other arena.
        input.convert(for: self)
        for value in values.values { value.convert(for: self) }
        return try use { () -> Result<[JQValue]?, JQError> in
            Result { () throws(JQError) in
                guard let state = try state(of: code), state.take() else { return nil }
                let raw =
                    code.variables.isEmpty ? JV(input, in: self) : JV(input, code.variables, values, in: self)
                return try state.run(raw, for: program, limit: JQProgram.maximumOutputs, in: self)
            }
        }.get()
    }

    private func state(of code: JQCode) throws(JQError) -> JQState? {
        if let own = states[ObjectIdentifier(code)], own.code === code { return own.state }
        let state = try code.compileAnother()
        // Those of configs that are gone.
        states = states.filter { $0.value.code != nil }
        states[ObjectIdentifier(code)] = OwnState(code: code, state: state)
        return state
    }
}
