import Glibc

/// Reports an error that reaches a binding, which cannot take one: debug builds stop, so that it is found; release
/// builds print it on standard error and go on.
@usableFromInline
func bindingError(_ error: any Error, file: StaticString = #fileID, line: UInt = #line) {
    let message = "an error reached a binding, which takes none: \(error). Catch it before you bind."
    #if DEBUG
    fatalError(message, file: file, line: line)
    #else
    let bytes = Array((message + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    #endif
}
