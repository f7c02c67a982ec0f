import Dispatch
import Glibc
import RxControl
import TestSupport
import Testing

struct StandardStreamTests {
    @Test func lineIsWrittenCompletelyAndAtOnce() async {
        await #expect(processExitsWith: .success) {
            let reading = redirectOutput()
            StandardStream.output.print("hällo")
            StandardStream.output.print("")
            var buffer = [UInt8](repeating: 0, count: 100)
            let count = read(reading, &buffer, buffer.count)
            #expect(String(decoding: buffer[..<count], as: UTF8.self) == "hällo\n\n")
        }
    }

    @Test func lineLongerThanPipeIsNotTruncated() async {
        await #expect(processExitsWith: .success) {
            let reading = redirectOutput()
            let long = String(repeating: "x", count: 1 << 20)
            let reader = Task.detached {
                var total = 0
                var buffer = [UInt8](repeating: 0, count: 65536)
                while total < (1 << 20) + 1 { total += max(0, read(reading, &buffer, buffer.count)) }
                return total
            }
            StandardStream.output.print(long)
            #expect(await reader.value == (1 << 20) + 1)
        }
    }

    @Test func failedWriteIsReported() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            #expect(StandardStream.output.print("x") == nil)
            dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO)
            #expect(StandardStream.output.print("x") == ENOSPC)
            close(redirectOutput())
            #expect(StandardStream.output.print("x") == EPIPE)
            // Not closed: another thread of this process could open a file with its number.
            dup2(open("/dev/null", O_RDONLY), STDOUT_FILENO)
            #expect(StandardStream.output.print("x") == EBADF)
        }
    }

    /// The line is longer than a pipe, which is full at times.
    @Test func writeWaitsForNonblockingStream() async {
        await #expect(processExitsWith: .success) {
            let reading = redirectOutput(blocks: false)
            let total = Cell(0)
            let done = DispatchSemaphore(value: 0)
            DispatchQueue(label: "test").async {
                var buffer = [UInt8](repeating: 0, count: 65536)
                while case let count = read(reading, &buffer, buffer.count), count > 0 {
                    total.update { $0 += count }
                }
                done.signal()
            }
            #expect(StandardStream.output.print(String(repeating: "x", count: 1 << 20)) == nil)
            close(STDOUT_FILENO)
            done.wait()
            #expect(total.value == (1 << 20) + 1)
        }
    }
}

/// Makes standard output a pipe.
///
/// - Returns: the descriptor to read from it.
private func redirectOutput(blocks: Bool = true) -> Int32 {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    if !blocks { _ = fcntl(ends[1], F_SETFL, O_NONBLOCK) }
    dup2(ends[1], STDOUT_FILENO)
    close(ends[1])
    return ends[0]
}
