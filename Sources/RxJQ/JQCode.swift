import RxDiagnostics
import RxEngine
import RxJSON
import Synchronization

/// The compiled forms of a program. Expressions with the same text share them, also across a reload of the configuration.
///
/// At first a program is a member of a group. A group is quick to compile, but its programs run somewhat slower, and it
/// serves one thread at a time. A program that has run often, or finds its group busy, gets a state of its own.
final class JQCode: Sendable {
    /// The number of runs in a group after which the program is compiled alone: it then saves more time than that costs.
    static let runsInUnit = 5_000

    /// Identifies the expression for an evaluator, which does not retain it.
    private let identity = JQIdentity()
    let variables: [String]
    /// The program as the user wrote it.
    private let text: String
    /// The program in the form that is compiled alone, which also identifies it in the library.
    let program: String
    private let isSound: Bool
    private let watch: JQEvaluationWatch?
    private let placement: JQPlacement
    private let remote: Remote?
    /// Whether an evaluation took long; the later ones then go to the evaluator.
    private let hasTakenLong = Atomic(false)

    private let member = SetOnce<JQGroupMember>()
    /// The number of runs outside arenas.
    private let runs = Atomic(0)
    private let own = SetOnce<JQState>()
    /// Further states of its own, for threads that find `own` taken.
    private let idleStates = Locked<[JQState]>([])

    /// The evaluation in another process.
    struct Remote: Sendable {
        let evaluator: any JQEvaluator
        let watch: JQEvaluationWatch
    }

    /// - Parameters:
    ///   - source: the program.
    ///   - watch: stops evaluations that take too long; `nil` for a program that is only run in this process.
    ///   - evaluator: evaluates the expressions that could harm this process; `nil` if all are evaluated in it.
    init(_ source: JQSource, watch: JQEvaluationWatch?, evaluator: (any JQEvaluator)? = nil) {
        remote = evaluator.flatMap { evaluator in watch.map { Remote(evaluator: evaluator, watch: $0) } }
        placement = JQPlacement(of: source.users.map(\.text).joined(separator: " "))
        variables = source.variables
        text = source.text
        program = source.program
        isSound = source.isBalanced
        self.watch = watch
    }

    /// Whether the program has compiled without errors.
    var isCompiled: Bool { member.object != nil || own.object != nil }

    /// Compiles the program alone.
    ///
    /// - Returns: the error if it does not compile; otherwise `nil`.
    func compile() -> JQCompileError? {
        do {
            // A superfluous closing bracket could close one around the program, so an unbalanced text is compiled as it
            // is: jq then reports the error.
            if isSound { _ = own.set(try JQState(program, watch: watch)) } else { _ = try JQState(text) }
            return nil
        } catch {
            do { _ = try JQState(text) } catch { return error }
            return error
        }
    }

    /// Returns the evaluator for an input; `nil` if this process is to evaluate it.
    func evaluator(
        for input: @autoclosure () -> JQValue, _ values: @autoclosure () -> [String: JQValue]
    ) -> Remote? {
        guard let remote else { return nil }
        if hasTakenLong.load(ordering: .relaxed) { return remote }
        switch placement.largestInput {
        case .max: return nil
        case 0: return remote
        case var left:
            let isSmall = input().takes(from: &left) && values().values.allSatisfy { $0.takes(from: &left) }
            return isSmall ? nil : remote
        }
    }

    /// Records that an evaluation took long.
    func noteLongRun() { hasTakenLong.store(true, ordering: .relaxed) }

    /// Returns every output for an input, evaluated by `evaluator`; `place` is the location for reports.
    func run(
        _ input: JQValue, _ values: [String: JQValue], at locationCell: SourceLocationCell, for client: JQClient?,
        by remote: Remote
    ) throws(JQError) -> [JQValue] {
        defer { client?.longEvaluationEnded() }
        let request = JQRequest.bytes(program, input.json, variables.map { values[$0]?.json ?? .null })
        let reply = try remote.watch.remotely(locationCell) { () throws(JQError) in
            try remote.evaluator.evaluate(request, of: identity, for: client)
        }
        return try JQRequest.outputs(in: reply)
    }

    /// Makes the program a member of a group.
    func use(_ member: JQGroupMember) {
        _ = self.member.set(member)
    }

    /// Returns every output for an input, evaluated in this process.
    func run(
        _ input: JSON, _ values: [String: JSON], for program: JQProgram, client: JQClient?
    ) throws(JQError) -> [JQValue] {
        let isSeldomRun = runs.add(1, ordering: .relaxed).newValue < Self.runsInUnit
        let own = own.object
        if let own, own.take() { return try run(input, values, for: program, client, on: own) }
        if let member = member.object, own != nil || isSeldomRun, member.state.take() {
            let input = JV(member.number, input, variables, values)
            return try member.state.run(input, for: program, limit: JQProgram.maximumOutputs, client: client)
        }
        let state = try takeAnother()
        defer { keep(state) }
        return try run(input, values, for: program, client, on: state)
    }

    private func run(
        _ input: JSON, _ values: [String: JSON], for program: JQProgram, _ client: JQClient?, on state: JQState
    ) throws(JQError) -> [JQValue] {
        let input = variables.isEmpty ? JV(input) : JV(nil, input, variables, values)
        return try state.run(input, for: program, limit: JQProgram.maximumOutputs, client: client)
    }

    /// Whether the program has run at least this often outside arenas.
    func isRunOften(_ times: Int) -> Bool { runs.load(ordering: .relaxed) >= times }

    private func takeAnother() throws(JQError) -> JQState {
        if let spare = idleStates.withLock({ $0.popLast() }), spare.take() { return spare }
        let state = try compileAnother()
        _ = state.take()
        return state
    }

    /// Compiles a further state for the program.
    func compileAnother() throws(JQError) -> JQState {
        do {
            return try JQState(program, watch: watch)
        } catch {
            throw JQError("the expression does not compile: \(error.messages.first ?? "")")
        }
    }

    private func keep(_ state: JQState) {
        if !own.set(state) { idleStates.withLock { $0.append(state) } }
    }
}
