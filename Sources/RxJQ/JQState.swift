internal import CJQ
import RxJSON

// Unchecked: used by one thread at a time, whichever it is; the watch reaches only the mark.
/// The wall around jq's interpreter: one compiled program.
final class JQState: @unchecked Sendable {
    private let state: OpaquePointer?
    private let mark: JQMark

    /// Compiles a program; fails with jq's own messages. Takes about 14 ms, nearly all of it for jq's builtins.
    init(_ program: String, watch: JQWatch? = nil) throws(JQCompileError) {
        state = jq_init()
        mark = JQMark(state, watch)
        let messages = JQMessages()
        // jq_init leaves callbacks uninitialised: each must be set, or `debug` jumps anywhere.
        jq_set_error_cb(state, JQMessages.collect, Unmanaged.passUnretained(messages).toOpaque())
        jq_set_input_cb(state, { _, _ in jv_invalid() }, nil)
        jq_set_debug_cb(state, { _, output in jv_free(output) }, nil)
        let compiled = jq_compile(state, program) != 0
        jq_set_error_cb(state, { _, message in jv_free(message) }, nil)
        if !compiled { throw JQCompileError(messages: messages.list) }
        watch?.add(mark)
    }

    deinit {
        mark.watch?.remove(mark)
        var state = state
        jq_teardown(&state)
    }

    /// Takes the state, for one run; false when it is taken.
    func take() -> Bool {
        mark.take()
    }

    /// Every output for an input, of the state that was taken; with that it is free. `halt` ends the outputs,
    /// `halt_error` fails with its input.
    ///
    /// - Parameters:
    ///   - program: what is evaluated, for the watch to tell of.
    ///   - arena: keeps the outputs; `nil` if they are converted.
    func run(
        _ input: consuming JV, for program: JQProgram?, limit: Int, in arena: JQArena? = nil
    ) throws(JQError) -> [JQValue] {
        var outputs = JQOutputs(limit, mark, arena)
        let input = input.take()
        let end = withUnsafeMutablePointer(to: &outputs) { outputs in
            jq_set_debug_cb(state, JQOutputs.take, outputs)
            jq_set_input_cb(state, JQOutputs.end, outputs)
            jq_start(state, input, 0)
            mark.begin(program)
            return jq_next(state)
        }
        // Before the state is free: the message may be a literal of the program, whose references the next run counts.
        let error = Self.error(of: JV(owning: end))
        let isHalted = jq_halted(state) != 0
        // Where that is all, the state is free at once.
        if !isHalted, mark.end() { return try result(outputs, error) }
        let stop = mark.watch?.end(mark)
        defer { mark.free() }
        defer { if isHalted || stop != nil { letGo() } }
        if let stop { throw stop.error }
        if let failure = outputs.failure { throw failure }
        if isHalted { try throwIfHaltedByError() }
        return try result(outputs, error)
    }

    /// Lets go at once of what a halted program had in hand, which may be much.
    ///
    /// jq frees what `halt_error` was given each time that it is started from then on: it must be given something else.
    private func letGo() {
        jq_start(state, jv_null(), 0)
        jq_halt(state, jv_null(), jv_null())
    }

    private func result(_ outputs: JQOutputs, _ error: JQError?) throws(JQError) -> [JQValue] {
        if let error { throw error }
        return outputs.list
    }

    /// What an evaluation failed with, by what it gave last.
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
