import Glibc
import RxLinux
import TestSupport
import Testing

struct ProcessStatisticsTests {
    @Test func descriptorsAreCountedExactly() async {
        await #expect(processExitsWith: .success) {
            // Other threads of the process open descriptors at times: retry until none does during the comparison.
            try await eventually("three more, and then three less") {
                let before = ProcessStatistics.current().descriptors
                let descriptors = (0..<3).map { _ in open("/dev/null", O_RDONLY) }
                let between = ProcessStatistics.current().descriptors
                for descriptor in descriptors { close(descriptor) }
                return between == before + 3 && ProcessStatistics.current().descriptors == before
            }
        }
    }

    @Test func watchesOfEveryInotifyDescriptorAreCounted() async {
        await #expect(processExitsWith: .success) {
            let before = ProcessStatistics.current().watches
            let (one, other) = (inotify_init1(0), inotify_init1(0))
            #expect(ProcessStatistics.current().watches == before)
            inotify_add_watch(one, "/", UInt32(IN_CREATE))
            inotify_add_watch(one, "/tmp", UInt32(IN_CREATE))
            inotify_add_watch(other, "/", UInt32(IN_CREATE))
            #expect(ProcessStatistics.current().watches == before + 3)
            close(one)
            #expect(ProcessStatistics.current().watches == before + 1)
        }
    }

    @Test func residentMemoryGrowsWithTouchedPages() async {
        await #expect(processExitsWith: .success) {
            let before = ProcessStatistics.current().residentKiB
            #expect(before > 0)
            let size = 64 << 20
            let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 4096)
            memset(memory, 1, size)
            let growth = ProcessStatistics.current().residentKiB - before
            memory.deallocate()
            #expect((60_000...80_000).contains(growth))
        }
    }
}
