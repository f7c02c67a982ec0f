#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Reports an error that reaches a binding, which cannot receive one: a debug build stops, so that the error is found,
/// and a release build prints it on standard error and continues.
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
