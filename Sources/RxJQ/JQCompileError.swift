internal import CJQ

/// What jq says about a program it cannot compile.
struct JQCompileError: Error {
    var messages: [String]
}

/// Collects what jq would print. Reached by one thread, through the pointer handed to jq while it compiles.
final class JQMessages {
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
