import Glibc

/// What becomes of an error that reaches a binding, which has nowhere to put it: debug builds stop, so that it is found;
/// release builds say it on standard error and go on.
func bindingError(_ error: any Error, file: StaticString = #fileID, line: UInt = #line) {
    let message = "an error reached a binding, which takes none: \(error). Catch it before you bind."
    #if DEBUG
    fatalError(message, file: file, line: line)
    #else
    let bytes = Array((message + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    #endif
}
