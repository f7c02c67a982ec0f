internal import CJQ
import RxJSON

/// Collects a program's outputs, which arrive through the callback of `debug`.
///
/// If there are too many outputs, the program is halted instead of abandoned: libjq cannot start again after an
/// abandoned `path(…)`; see `JQSource.capturingOutputs`.
struct JQOutputCollector {
    private(set) var list: [JQValue] = []
    private(set) var failure: JQError?
    private let limit: Int
    private let control: JQRunControl
    /// Keeps the outputs in jq's representation; `nil` if they are converted to JSON.
    private let arena: JQArena?
    private var measure = JVMeasure(limit: JQLimits.outputMemory)

    init(_ limit: Int, _ control: JQRunControl, _ arena: JQArena?) {
        self.limit = limit
        self.control = control
        self.arena = arena
    }

    private mutating func receive(_ output: borrowing JV) {
        do throws(JQError) {
            if list.count == limit { throw JQError("more than \(limit) outputs for one input") }
            let before = measure.left
            try output.add(to: &measure)
            let memory = before - measure.left
            if let arena {
                list.append(try JQValue(output, in: arena, isExact: measure.isExact, memory: memory))
            } else {
                list.append(JQValue(try output.json(), memory: memory))
            }
        } catch {
            failure = failure ?? error
            control.halt()
        }
    }

    /// The callback of `debug`.
    static let receive: @convention(c) (UnsafeMutableRawPointer?, jv) -> Void = { pointer, output in
        let output = JV(owning: output)
        pointer?.assumingMemoryBound(to: JQOutputCollector.self).pointee.receive(output)
    }

    /// The callback of `input`, which only the prelude's `halt` calls, before the program ends by itself.
    static let preventStop: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> jv = { _, pointer in
        pointer?.assumingMemoryBound(to: JQOutputCollector.self).pointee.control.preventStop()
        return jv_invalid()
    }
}
