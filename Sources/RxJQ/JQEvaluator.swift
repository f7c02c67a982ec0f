import Glibc
import RxEngine
import RxJSON

/// Evaluates expressions outside this process.
package protocol JQEvaluator: Sendable {
    /// Sends a request to a ``JQEvaluation`` in another process, and returns its reply.
    ///
    /// - Parameters:
    ///   - request: the bytes of the request.
    ///   - expression: the identity of the expression.
    ///   - client: the client that makes the request. The evaluator divides its processes fairly among the expressions
    ///     of all clients.
    func evaluate(_ request: [UInt8], of expression: JQIdentity, for client: JQClient?) throws(JQError) -> [UInt8]
}

/// The encoding of a request (a program, its input and the values of its variables) and of its reply.
enum JQRequest {
    static func bytes(_ program: String, _ input: JSON, _ values: [JSON]) -> [UInt8] {
        JQParts.bytes([Array(program.utf8), input.bytes] + values.map(\.bytes))
    }

    /// Decodes the outputs in a reply.
    static func outputs(in reply: [UInt8]) throws(JQError) -> [JQValue] {
        guard let parts = JQParts(reply)?.list, let first = parts.first else {
            throw JQError("the evaluator's answer is cut off")
        }
        if !first.isEmpty { throw JQError(String(decoding: first, as: UTF8.self)) }
        var outputs: [JQValue] = []
        for part in parts.dropFirst() {
            do throws(JSONError) {
                outputs.append(JQValue(try JSON(parsing: part), memory: JSON.memory(parsing: part)))
            } catch {
                throw JQError(error.message)
            }
        }
        return outputs
    }
}

/// The evaluator process's side of a ``JQEvaluator``: evaluates one request after the other.
///
/// Not `Sendable`: one thread uses it.
package final class JQEvaluation {
    /// The compiled programs, the most recently used at the end.
    private var states: [(program: String, state: JQState)] = []
    private static let maximumStates = 50

    /// The exit code of the evaluator process when jq cannot allocate memory.
    package static let exitCodeWithoutMemory: Int32 = 71

    /// Creates an evaluation without compiled programs.
    package init() {}

    /// Evaluates a request.
    ///
    /// - Parameter request: the encoded request.
    /// - Returns: the encoded reply: an error message as the only part, or an empty part followed by the outputs.
    package func reply(to request: [UInt8]) -> [UInt8] {
        do throws(JQError) {
            return JQParts.bytes([[]] + (try outputs(of: request)).map(\.json.bytes))
        } catch {
            return JQParts.bytes([Array(error.message.utf8)])
        }
    }

    private func outputs(of request: [UInt8]) throws(JQError) -> [JQValue] {
        guard let parts = JQParts(request)?.list, parts.count >= 2 else { throw JQError("the request is cut off") }
        let state = try state(of: String(decoding: parts[0], as: UTF8.self))
        var values: [JSON] = []
        for part in parts.dropFirst() {
            do throws(JSONError) { values.append(try JSON(parsing: part)) } catch { throw JQError(error.message) }
        }
        guard state.take() else { throw JQError("the program is being evaluated") }
        let input = values.count == 1 ? JV(values[0]) : JV(.array(values))
        values = []
        return try state.run(input, for: nil, limit: JQProgram.maximumOutputs)
    }

    private func state(of program: String) throws(JQError) -> JQState {
        if let index = states.lastIndex(where: { $0.program == program }) {
            states.append(states.remove(at: index))
        } else {
            do {
                let state = try JQState(program) { _ in _exit(JQEvaluation.exitCodeWithoutMemory) }
                states.append((program, state))
            } catch {
                throw JQError("the expression does not compile: \(error.messages.first ?? "")")
            }
            if states.count > Self.maximumStates { states.removeFirst() }
        }
        guard let state = states.last?.state else { throw JQError("there is no program") }
        return state
    }
}

/// A list of byte strings, each preceded by its length in four bytes, least significant first.
struct JQParts {
    private(set) var list: [[UInt8]] = []

    /// Decodes a list; `nil` if the bytes are truncated.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= count else { return nil }
            list.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
    }

    static func bytes(_ parts: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(parts.reduce(0) { $0 + $1.count + 4 })
        for part in parts {
            let count = UInt32(clamping: part.count)
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * UInt32($0))) }
            bytes += part
        }
        return bytes
    }
}
