import Dispatch
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

@Suite(.balanced) struct RemoteFilesTests {
    /// A file that waits for others is read when one of these has been, and each file once for all that ask for it.
    @Test func waitingFileIsReadNext() async throws {
        let (begun, hang) = (Cell<[String]>([]), DispatchSemaphore(value: 0))
        let files = RemoteFiles(maximum: 1) { path in
            begun.append(path)
            hang.wait()
            return path
        }
        let contents = Cell<[String]>([])
        let reads = ["/a", "/b", "/b", "/c"].map { path in
            files.read([path], until: .now + .seconds(60)) { read in
                contents.append((try? read[path]?.get()) ?? "failed")
            }
        }
        try await eventually("the first is being read") { begun.value == ["/a"] }
        // Nobody waits for this one any more.
        reads[3].dispose()
        hang.signal()
        try await eventually("the next is being read") { begun.value == ["/a", "/b"] }
        hang.signal()
        try await eventually("all have the contents") { contents.value == ["/a", "/b", "/b"] }
        for read in reads { read.dispose() }
        #expect(begun.value == ["/a", "/b"])
    }
}
