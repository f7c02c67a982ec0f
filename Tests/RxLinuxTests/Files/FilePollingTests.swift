import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Paths that are polled, because the kernel does not report changes of them.
@Suite(.balanced) struct FilePollingTests {
    /// A descriptor number that is free, and high enough to stay free.
    private func freeNumber() -> Int32 {
        var number: Int32 = 200
        while fcntl(number, F_GETFD) >= 0 { number += 1 }
        return number
    }

    @Test func generatedFilesArePolled() async throws {
        let number = freeNumber()
        let path = "/proc/self/fdinfo/\(number)"
        let received = Cell<[String]>([])
        let armed = Cell(false)
        let watcher = FileWatcher()
        let request = FileRequest([BytePath(path)], period: .milliseconds(10))
        let subscription = watcher.changes(request, onArmed: { armed.update { $0 = true } })
            .subscribe(onNext: { received.append($0.kind.rawValue) })
        try await eventually("the watcher is armed") { armed.value }
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        #expect(fcntl(file, F_DUPFD_CLOEXEC, number) == number)
        try await eventually("the file is emitted: \(received.value)") { received.value == ["created"] }
        lseek(file, 7, SEEK_SET)
        try await eventually("it says something else: \(received.value)") { received.value == ["created", "modified"] }
        close(number)
        try await eventually("it is removed: \(received.value)") {
            received.value == ["created", "modified", "removed"]
        }
        close(file)
        subscription.dispose()
    }

    /// If polling is requested, the kernel need not report anything.
    @Test func missingPathIsPolled() async throws {
        let folder = Folder()
        let watching = try await Watching(folder, ["a/b"]) {
            $0.method = .polling
            $0.period = .milliseconds(10)
        }
        #expect(watching.watcher.watchCount == 0)
        folder.makeDirectory("a/b")
        folder.write("a/b/f")
        try await eventually("\(watching.lines)") { watching.lines.contains("synthetic created a/b/f") }
        folder.remove("a")
        try await eventually("\(watching.lines)") { watching.lines.last == "synthetic removed a/b/" }
    }

    /// The kernel delivers generated files in pieces of a page.
    @Test func longGeneratedTextIsReadToItsEnd() throws {
        // A line for each piece of memory whose permissions differ from those of the piece before.
        let (page, count) = (4096, 300)
        let memory = mmap(nil, page * count, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        defer { munmap(memory, page * count) }
        for number in stride(from: 0, to: count, by: 2) { mprotect(memory.map { $0 + number * page }, page, PROT_NONE) }
        let identity = try #require(FileIdentity(content: "/proc/self/maps"))
        #expect(identity.size > count * 40)
    }
}

/// With `settle`, a file that grows between two polls is not settled.
@Suite(.balanced) struct FilePolledSettlingTests {
    @Test func fileThatGrowsBetweenPollsIsNotSettled() async throws {
        let folder = Folder()
        folder.write("log")
        let watching = try await Watching(folder) {
            $0.method = .polling
            $0.period = .milliseconds(150)
            $0.settle = .milliseconds(1)
        }
        let end = ContinuousClock.now + .milliseconds(900)
        var (last, longest) = (ContinuousClock.now, Duration.zero)
        while .now < end {
            folder.append("log", "line\n")
            longest = max(longest, .now - last)
            last = .now
        }
        #expect(watching.lines.isEmpty || longest >= .milliseconds(100))
        try await eventually("\(watching.lines)") { watching.lines.contains("synthetic modified log") }
    }
}
