internal import CJQ
import Glibc
import RxJSON

// Unchecked: the thread that has taken the state is the only one that uses it; the watch uses only `control`.
/// One compiled program in an interpreter of libjq.
final class JQState: @unchecked Sendable {
    private let state: OpaquePointer?
    private let control: JQRunControl

    /// Compiles a program in about 14 ms, nearly all of it for jq's builtins.
    ///
    /// - Parameters:
    ///   - program: the jq program.
    ///   - watch: reports and stops evaluations that take long; `nil` if nothing does.
    ///   - onExhaustion: called when jq cannot allocate memory; it must not return. Default: abort the process.
    /// - Throws: jq's own messages.
    init(
        _ program: String, watch: JQEvaluationWatch? = nil,
        onExhaustion: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void = { _ in abort() }
    ) throws(JQCompileError) {
        state = jq_init()
        control = JQRunControl(state, watch)
        let messages = JQMessageCollector()
        // jq_init leaves callbacks uninitialized: each must be set, or `debug` jumps to an arbitrary address.
        jq_set_nomem_handler(state, onExhaustion, nil)
        jq_set_error_cb(state, JQMessageCollector.collect, Unmanaged.passUnretained(messages).toOpaque())
        jq_set_input_cb(state, { _, _ in jv_invalid() }, nil)
        jq_set_debug_cb(state, { _, output in jv_free(output) }, nil)
        let compiled = jq_compile(state, program) != 0
        jq_set_error_cb(state, { _, message in jv_free(message) }, nil)
        if !compiled { throw JQCompileError(messages: messages.list) }
        watch?.add(control)
    }

    deinit {
        control.watch?.remove(control)
        var state = state
        jq_teardown(&state)
    }

    /// Takes the state for one run; returns false if it is taken already.
    func take() -> Bool {
        control.take()
    }

    /// Returns every output for an input, and returns the state, which the caller has taken. `halt` ends the outputs;
    /// `halt_error` fails with its input.
    ///
    /// - Parameters:
    ///   - input: the program's input.
    ///   - program: the expression that the watch names in its reports; `nil` for none.
    ///   - limit: the most outputs; the evaluation fails if there are more.
    ///   - client: the client that the evaluation counts for.
    ///   - arena: keeps the outputs in jq's representation; `nil` if they are converted to JSON.
    func run(
        _ input: consuming JV, for program: JQProgram?, limit: Int, client: JQClient? = nil, in arena: JQArena? = nil
    ) throws(JQError) -> [JQValue] {
        var outputs = JQOutputCollector(limit, control, arena)
        let input = input.take()
        let end = withUnsafeMutablePointer(to: &outputs) { outputs in
            jq_set_debug_cb(state, JQOutputCollector.receive, outputs)
            jq_set_input_cb(state, JQOutputCollector.preventStop, outputs)
            jq_start(state, input, 0)
            control.begin(program)
            return jq_next(state)
        }
        // Read the message before the state is returned: it may be a literal of the program, and the next run would
        // change its reference count on another thread.
        let error = Self.error(of: JV(owning: end))
        let isHalted = jq_halted(state) != 0
        // The common case: no `halt`, and the watch has not noticed the evaluation.
        if !isHalted, control.end() { return try result(outputs, error) }
        let stop = control.watch?.end(control)
        if stop != nil || !isHalted {
            program?.noteLongRun()
            client?.longEvaluationEnded()
        }
        defer { control.free() }
        defer { if isHalted || stop != nil { clearHaltedRun() } }
        if let stop { throw stop.error }
        if let failure = outputs.failure { throw failure }
        if isHalted { try throwIfHaltedByError() }
        return try result(outputs, error)
    }

    /// Frees the values that a halted program held, which may be large, instead of keeping them until the next run.
    ///
    /// Every later `jq_start` frees the argument of `halt_error` once more. The second call replaces that argument by
    /// null, which needs no freeing.
    private func clearHaltedRun() {
        jq_start(state, jv_null(), 0)
        jq_halt(state, jv_null(), jv_null())
    }

    private func result(_ outputs: JQOutputCollector, _ error: JQError?) throws(JQError) -> [JQValue] {
        if let error { throw error }
        return outputs.list
    }

    /// Returns the error that the last value of an evaluation carries, if any.
    private static func error(of last: consuming JV) -> JQError? {
        guard let message = last.errorMessage() else { return nil }
        do throws(JQError) { return JQError(try text(of: message)) } catch { return error }
    }

    private func throwIfHaltedByError() throws(JQError) {
        let message = JV(owning: jq_get_error_message(state))
        let exitCode = JV(owning: jq_get_exit_code(state))
        guard exitCode.isValid, message.isValid, let code = try exitCode.json().number, code != 0 else { return }
        throw JQError(try Self.text(of: message))
    }

    private static func text(of message: borrowing JV) throws(JQError) -> String {
        let json = try message.json()
        return json.string ?? json.description
    }
}
