import Glibc
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

    /// Large blocks that are freed between others leave no holes in a heap.
    @Test func freedLargeBlocksAreReleased() async {
        await #expect(processExitsWith: .success) {
            func block(_ size: Int) -> UnsafeMutableRawPointer {
                let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
                memset(block, 1, size)
                return block
            }
            ResidentMemory.limitFragmentation()
            // By default, blocks of up to this size would be in a heap from now on.
            block(8 << 20).deallocate()
            let before = ProcessStatistics.current().residentKiB
            let blocks = (0..<200).map { _ in block(256 << 10) }
            for index in stride(from: 0, to: blocks.count, by: 2) { blocks[index].deallocate() }
            let growth = ProcessStatistics.current().residentKiB - before
            #expect((25_000...35_000).contains(growth))
        }
    }
}
