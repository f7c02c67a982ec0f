internal import CJQ

/// The messages of jq about a program that does not compile.
struct JQCompileError: Error {
    var messages: [String]
}

/// Collects the messages that jq would print. Only the compiling thread uses it, through jq's callback pointer.
final class JQMessageCollector {
    var list: [String] = []

    /// The error callback.
    static let collect: @convention(c) (UnsafeMutableRawPointer?, jv) -> Void = { pointer, message in
        let message = JV(owning: message)
        guard let pointer else { return }
        let messages = Unmanaged<JQMessageCollector>.fromOpaque(pointer).takeUnretainedValue()
        if let text = message.isValid ? try? message.json().string : try? message.errorMessage()?.json().string {
            messages.list.append(text)
        }
    }
}
