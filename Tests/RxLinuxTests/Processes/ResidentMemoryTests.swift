import RxLinux
import Testing

struct ResidentMemoryTests {
    /// Released memory is paged in again by itself, whatever other threads do meanwhile.
    @Test func releasedPagesKeepTheirContents() async {
        let before = ProcessStatistics.current().residentKiB
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { (0..<200).reduce(0) { $0 + "\($1 % 7) of a text".split(separator: " ").count } }
            }
            for _ in 0..<5 { ResidentMemory.release() }
            for await count in group { #expect(count == 800) }
        }
        #expect(ProcessStatistics.current().residentKiB < before)
    }
}
