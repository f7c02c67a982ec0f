internal import CJQ

/// The wall around jq's interpreter: one compiled program.
///
/// Not `Sendable`: one thread at a time, whichever it is.
final class JQState {
    private var state: OpaquePointer?

    /// Compiles a program; fails with jq's own messages. Takes about 14 ms, nearly all of it for jq's builtins.
    init(_ program: String) throws(JQCompileError) {
        state = jq_init()
        let messages = JQMessages()
        // jq_init leaves callbacks uninitialised: each must be set, or `debug` jumps anywhere.
        jq_set_error_cb(state, JQMessages.collect, Unmanaged.passUnretained(messages).toOpaque())
        jq_set_input_cb(state, { _, _ in jv_invalid() }, nil)
        jq_set_debug_cb(state, { _, message in jv_free(message) }, nil)
        let compiled = jq_compile(state, program) != 0
        jq_set_error_cb(state, { _, message in jv_free(message) }, nil)
        if !compiled { throw JQCompileError(messages: messages.list) }
    }

    deinit {
        jq_teardown(&state)
    }

    /// Every output for an input. `halt` ends the outputs, `halt_error` fails with its input.
    func run(_ input: consuming JV, limit: Int) throws(JQError) -> [JSON] {
        var outputs: [JSON] = []
        jq_start(state, input.take(), 0)
        while true {
            let output = JV(owning: jq_next(state))
            if !output.isValid {
                if jq_halted(state) != 0 { try throwIfHaltedByError() }
                guard let message = output.errorMessage() else { return outputs }
                throw JQError(try Self.text(of: message))
            }
            if outputs.count == limit { throw JQError("more than \(limit) outputs for one input") }
            outputs.append(try output.json())
        }
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

/// What jq says about a program it cannot compile.
struct JQCompileError: Error {
    var messages: [String]
}

/// Collects what jq would print. Reached by one thread, through the pointer handed to jq while it compiles.
private final class JQMessages {
    var list: [String] = []

    static let collect: @convention(c) (UnsafeMutableRawPointer?, jv) -> Void = { pointer, message in
        let message = JV(owning: message)
        guard let pointer else { return }
        let messages = Unmanaged<JQMessages>.fromOpaque(pointer).takeUnretainedValue()
        if let text = message.isValid ? try? message.json().string : try? message.errorMessage()?.json().string {
            messages.list.append(text)
        }
    }
}
