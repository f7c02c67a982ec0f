internal import CJQ
import RxEngine

// Unchecked: the locks guard all mutable state.
/// The owner of one component's values that keep jq's representation between expressions.
///
/// jq counts references without atomics, and a value shares parts with other values and with the literals of the
/// program that made it. So these values are used only under the arena's lock, and only by states that belong to the
/// arena. A program gets a state in the arena once it has run often. Before that, its values are converted for each
/// run, and one compilation serves all components.
package final class JQArena: @unchecked Sendable {
    /// The client that the arena's evaluations count for.
    package let client = JQClient()
    private let runsBeforeCompiling: Int
    /// Guards the values and `states`. An evaluation holds it from start to end.
    private let lock = Lock()
    private var states: [ObjectIdentifier: OwnState] = [:]
    private let garbageLock = Lock()
    /// Released values that wait to be freed, because another thread, or an evaluation on this thread, held the lock.
    private var garbage: [jv] = []

    /// The jq state of one compiled expression, released with it.
    private struct OwnState {
        weak var code: JQCode?
        let state: JQState
    }

    package convenience init() {
        self.init(compilingAfter: JQCode.runsInUnit)
    }

    /// Creates an empty arena.
    ///
    /// - Parameter runs: how many runs a program needs before it gets a state in this arena.
    package init(compilingAfter runs: Int) {
        runsBeforeCompiling = runs
    }

    deinit {
        for raw in garbage { jv_free(raw) }
    }

    /// The number of programs that have a state here.
    package var stateCount: Int { lock.locked { states.count } }

    /// Calls `body` under the arena's lock, and then frees the garbage.
    func use<Result>(_ body: () -> Result) -> Result {
        lock.locked {
            defer { freeGarbage() }
            return body()
        }
    }

    /// Frees a value at once if the lock is free, or else when the current `use` ends.
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

    /// Returns every output for an input; `nil` if the program has not run often enough to have a state here.
    func run(
        _ code: JQCode, _ input: JQValue, _ values: [String: JQValue], for program: JQProgram
    ) throws(JQError) -> [JQValue]? {
        if !code.isRunOften(runsBeforeCompiling) { return nil }
        // Before this arena's lock is taken: the conversion takes the other arena's lock, and two arenas that convert
        // from one another would deadlock.
        input.convert(for: self)
        for value in values.values { value.convert(for: self) }
        return try use { () -> Result<[JQValue]?, JQError> in
            Result { () throws(JQError) in
                guard let state = try state(of: code), state.take() else { return nil }
                let raw =
                    code.variables.isEmpty ? JV(input, in: self) : JV(input, code.variables, values, in: self)
                return try state.run(
                    raw, for: program, limit: JQProgram.maximumOutputs, client: client, in: self)
            }
        }.get()
    }

    private func state(of code: JQCode) throws(JQError) -> JQState? {
        if let own = states[ObjectIdentifier(code)], own.code === code { return own.state }
        let state = try code.compileAnother()
        // Remove the states of programs that no configuration uses any more.
        states = states.filter { $0.value.code != nil }
        states[ObjectIdentifier(code)] = OwnState(code: code, state: state)
        return state
    }
}
