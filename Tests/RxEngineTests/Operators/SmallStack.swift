import Glibc
import Testing

/// Runs `body` on a thread whose stack is half a megabyte, and returns when it has. What recurses deeply ends the test
/// process there.
func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 512 * 1024)
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let status = pthread_create(
        &thread, &attributes,
        { work in
            work.map { Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body() }
            return nil
        }, work.toOpaque())
    #expect(status == 0)
    pthread_join(thread, nil)
    pthread_attr_destroy(&attributes)
}
