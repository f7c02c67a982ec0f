import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// What is looked at now and then, since the kernel does not tell.
@Suite(.balanced) struct FilePollingTests {
    /// A descriptor number that is free, and high enough to stay so.
    private func freeNumber() -> Int32 {
        var number: Int32 = 200
        while fcntl(number, F_GETFD) >= 0 { number += 1 }
        return number
    }

    @Test func whatTheKernelMakesUpIsFoundWhenItIsThere() async throws {
        let number = freeNumber()
        let path = "/proc/self/fdinfo/\(number)"
        let told = Box<[String]>([])
        let armed = Box(false)
        let watcher = FileWatcher()
        let request = FileRequest([BytePath(path)], period: .milliseconds(10))
        let subscription = watcher.changes(request, onArmed: { armed.update { $0 = true } })
            .subscribe(onNext: { told.append($0.kind.rawValue) })
        try await eventually("it is armed") { armed.value }
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        #expect(fcntl(file, F_DUPFD_CLOEXEC, number) == number)
        try await eventually("it is there: \(told.value)") { told.value == ["created"] }
        lseek(file, 7, SEEK_SET)
        try await eventually("it says something else: \(told.value)") { told.value == ["created", "modified"] }
        close(number)
        try await eventually("it is gone: \(told.value)") { told.value == ["created", "modified", "removed"] }
        close(file)
        subscription.dispose()
    }

    /// Where somebody says that it has to be looked, the kernel need not tell of anything.
    @Test func whatIsNotThereYetIsLookedForToo() async throws {
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

    /// The kernel gives what it makes up in pieces of a page.
    @Test func aLongTextIsReadToItsEnd() throws {
        // A line for each piece of memory that may be used in another way than the one before.
        let (page, count) = (4096, 300)
        let memory = mmap(nil, page * count, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        defer { munmap(memory, page * count) }
        for number in stride(from: 0, to: count, by: 2) { mprotect(memory.map { $0 + number * page }, page, PROT_NONE) }
        let identity = try #require(FileIdentity(content: "/proc/self/maps"))
        #expect(identity.size > count * 40)
    }
}
