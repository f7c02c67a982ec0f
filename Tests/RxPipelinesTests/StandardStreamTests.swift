import Glibc
import RxPipelines
import Testing

struct StandardStreamTests {
    @Test func aLineIsWrittenWholeAndAtOnce() async {
        await #expect(processExitsWith: .success) {
            let reading = redirectOutput()
            StandardStream.output.print("hällo")
            StandardStream.output.print("")
            var buffer = [UInt8](repeating: 0, count: 100)
            let count = read(reading, &buffer, buffer.count)
            #expect(String(decoding: buffer[..<count], as: UTF8.self) == "hällo\n\n")
        }
    }

    @Test func aLineLongerThanAPipeIsNotCut() async {
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

    @Test func whatNobodyReadsIsLost() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            close(redirectOutput())
            StandardStream.output.print("x")
            close(STDOUT_FILENO)
            StandardStream.output.print("x")
        }
    }
}

/// Makes standard output a pipe.
///
/// - Returns: where to read from it.
private func redirectOutput() -> Int32 {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    dup2(ends[1], STDOUT_FILENO)
    close(ends[1])
    return ends[0]
}
