internal import CJQ
import RxJSON

/// Takes a program's outputs as they come, by way of `debug`.
///
/// A program is stopped, rather than left, when one output is too many: what jq has in hand would not survive it, for
/// which see `JQSource`.
struct JQOutputs {
    private(set) var list: [JQValue] = []
    private(set) var failure: JQError?
    private let limit: Int
    private let mark: JQMark
    /// Which keeps the outputs; `nil` if they are converted.
    private let arena: JQArena?

    init(_ limit: Int, _ mark: JQMark, _ arena: JQArena?) {
        self.limit = limit
        self.mark = mark
        self.arena = arena
    }

    private mutating func take(_ output: borrowing JV) {
        do throws(JQError) {
            if list.count == limit { throw JQError("more than \(limit) outputs for one input") }
            if let arena {
                list.append(try JQValue(output, in: arena))
            } else {
                list.append(JQValue(try output.json()))
            }
        } catch {
            failure = failure ?? error
            mark.halt()
        }
    }

    static let take: @convention(c) (UnsafeMutableRawPointer?, jv) -> Void = { pointer, output in
        let output = JV(owning: output)
        pointer?.assumingMemoryBound(to: JQOutputs.self).pointee.take(output)
    }

    /// `input`, which the prelude leaves to `halt`: the program is about to end by itself.
    static let end: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> jv = { _, pointer in
        pointer?.assumingMemoryBound(to: JQOutputs.self).pointee.mark.exempt()
        return jv_invalid()
    }
}
