import RxEngine
import RxJSON
import Synchronization

/// A program's compiled forms, which expressions with the same text share, of this config and the next.
///
/// At first it is one of many in a unit. That is quick to compile but somewhat slower to run, and the unit serves one
/// thread at a time. What is run often, or finds its unit busy, gets a state of its own.
final class JQCode: Sendable {
    /// After so many runs the time that a state of its own saves is worth that of compiling it.
    static let runsInUnit = 5_000

    let variables: [String]
    /// The program as the user wrote it.
    private let text: String
    /// The program as it is compiled by itself. Two that have it in common are the same.
    let program: String
    private let isSound: Bool
    private let watch: JQWatch?

    private let member = SetOnce<JQUnitMember>()
    /// How often it was run outside arenas.
    private let runs = Atomic(0)
    private let own = SetOnce<JQState>()
    /// More of its own, for when that is taken.
    private let spares = Locked<[JQState]>([])

    init(_ source: JQSource, watch: JQWatch?) {
        variables = source.variables
        text = source.text
        program = source.program
        isSound = source.isBalanced
        self.watch = watch
    }

    /// Whether it is known to be free of mistakes.
    var isCompiled: Bool { member.object != nil || own.object != nil }

    /// Compiles it by itself.
    ///
    /// - Returns: what is wrong with it.
    func compile() -> JQCompileError? {
        do {
            // A program that closes a bracket too many could close those around it.
            if isSound { _ = own.set(try JQState(program, watch: watch)) } else { _ = try JQState(text) }
            return nil
        } catch {
            do { _ = try JQState(text) } catch { return error }
            return error
        }
    }

    /// It is part of a unit.
    func use(_ member: JQUnitMember) {
        _ = self.member.set(member)
    }

    /// Every output for an input.
    func run(_ input: JSON, _ values: [String: JSON], for program: JQProgram) throws(JQError) -> [JQValue] {
        let isSeldomRun = runs.add(1, ordering: .relaxed).newValue < Self.runsInUnit
        let own = own.object
        if let own, own.take() { return try run(input, values, for: program, on: own) }
        if let member = member.object, own != nil || isSeldomRun, member.unit.take() {
            let input = JV(member.number, input, variables, values)
            return try member.unit.run(input, for: program, limit: JQProgram.maximumOutputs)
        }
        let state = try takeAnother()
        defer { keep(state) }
        return try run(input, values, for: program, on: state)
    }

    private func run(
        _ input: JSON, _ values: [String: JSON], for program: JQProgram, on state: JQState
    ) throws(JQError) -> [JQValue] {
        let input = variables.isEmpty ? JV(input) : JV(nil, input, variables, values)
        return try state.run(input, for: program, limit: JQProgram.maximumOutputs)
    }

    /// Whether it has been run this often outside arenas.
    func isRunOften(_ times: Int) -> Bool { runs.load(ordering: .relaxed) >= times }

    private func takeAnother() throws(JQError) -> JQState {
        if let spare = spares.withLock({ $0.popLast() }), spare.take() { return spare }
        let state = try compileAnother()
        _ = state.take()
        return state
    }

    /// Another state for it.
    func compileAnother() throws(JQError) -> JQState {
        do {
            return try JQState(program, watch: watch)
        } catch {
            throw JQError("the expression does not compile: \(error.messages.first ?? "")")
        }
    }

    private func keep(_ state: JQState) {
        if !own.set(state) { spares.withLock { $0.append(state) } }
    }
}
