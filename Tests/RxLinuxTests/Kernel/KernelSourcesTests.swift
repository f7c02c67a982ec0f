import CLinux
import Dispatch
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

@Suite(.balanced) struct KernelSourcesTests {
    private let folder = TemporaryDirectory()

    private func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0)
        return (ends[0], ends[1])
    }

    @Test func readableDescriptorIsReportedEachTime() async throws {
        let (reading, writing) = try makePipe()
        let log = Cell<[String]>([])
        let subscription = Observable.fd(reading).subscribe(onNext: { event in
            var byte: UInt8 = 0
            log.append(read(reading, &byte, 1) == 1 ? "\(event) \(byte)" : "end")
            if byte == 0 { close(writing) }
        })
        for byte: UInt8 in [1, 2, 0] {
            var byte = byte
            #expect(write(writing, &byte, 1) == 1)
        }
        try await eventually("the end is reported") { log.value.contains("end") }
        subscription.dispose()
        #expect(log.value.prefix(4) == ["readable 1", "readable 2", "readable 0", "end"])
        // The descriptor is still open.
        #expect(close(reading) == 0)
    }

    @Test func writableDescriptorIsReportedUntilItIsFull() async throws {
        let (reading, writing) = try makePipe()
        defer { close(reading) }
        let written = Cell(0)
        let bytes = [UInt8](repeating: 1, count: 4096)
        let isFull = Cell(false)
        let subscription = Observable.fd(writing, events: [.writable, .readable]).subscribe(onNext: { event in
            guard event == .writable else { return }
            let count = write(writing, bytes, bytes.count)
            if count < 0 { isFull.update { $0 = true } } else { written.update { $0 += count } }
        })
        try await eventually("the pipe is full") { written.value == 65_536 || isFull.value }
        var rest = [UInt8](repeating: 0, count: 65_536)
        #expect(read(reading, &rest, rest.count) > 0)
        try await eventually("it is filled again") { written.value > 65_536 }
        subscription.dispose()
        close(writing)
    }

    @Test func closedDescriptorFails() {
        let log = Cell<[String]>([])
        Observable.fd(-1).subscribe(onError: { log.append("\($0)") }).dispose()
        #expect(log.value == ["duplicating a descriptor: Bad file descriptor"])
    }

    @Test func linesAreRead() async throws {
        let (reading, writing) = try makePipe()
        let log = Cell<[String]>([])
        let subscription = Observable.lines(of: reading).subscribe(
            onNext: { log.append($0.text) }, onCompleted: { log.append("|") })
        #expect(write(writing, "a\nb\n", 4) == 4)
        close(writing)
        try await eventually("the lines are read") { log.value == ["a", "b", "|"] }
        subscription.dispose()
        close(reading)
    }

    @Test func eventsOfDirectoryAreEmitted() async throws {
        let log = Cell<[String]>([])
        let subscription = Observable.inotify(path: folder.path, mask: UInt32(IN_CLOSE_WRITE) | UInt32(IN_DELETE))
            .subscribe(onNext: { event in
                let name = String(decoding: event.name, as: UTF8.self)
                log.append("\(event.has(IN_DELETE) ? "delete" : "write") \(name)")
            })
        folder.write("a", "text")
        unlink(folder("a"))
        try await eventually("both are reported") { log.value == ["write a", "delete a"] }
        subscription.dispose()
    }

    @Test func deletedFileCompletesItsEvents() async throws {
        folder.write("a", "text")
        let log = Cell<[String]>([])
        let subscription = Observable.inotify(path: folder("a"), mask: UInt32(IN_MODIFY)).subscribe(
            onNext: { log.append($0.has(IN_IGNORED) ? "ignored" : "modified") }, onCompleted: { log.append("|") })
        unlink(folder("a"))
        try await eventually("the sequence has completed") { log.value == ["ignored", "|"] }
        subscription.dispose()

        Observable.inotify(path: folder("a"), mask: UInt32(IN_MODIFY)).subscribe(onError: { log.append("\($0)") })
            .dispose()
        #expect(log.value.last == "watching '\(folder("a"))': No such file or directory")
    }

    @Test func endOfProcessIsReported() async throws {
        // It runs until it is killed.
        let words: [String] = ["sh", "-c", "exec tail -f /dev/null"]
        let arguments = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        var number: pid_t = 0
        try #require(posix_spawn(&number, "/bin/sh", nil, nil, arguments + [nil], nil) == 0)
        let log = Cell<[String]>([])
        let subscription = Observable.process(number).subscribe(
            onNext: { log.append("ended") }, onCompleted: { log.append("|") })
        #expect(log.value.isEmpty)
        kill(number, SIGKILL)
        try await eventually("the end is reported") { log.value == ["ended", "|"] }
        subscription.dispose()
        var status: Int32 = 0
        #expect(waitpid(number, &status, 0) == number)
        Observable.process(number).subscribe(onError: { log.append("\($0)") }).dispose()
        #expect(log.value.last == "watching the process \(number): No such process")
    }

    @Test func timerExpiresPeriodically() async throws {
        let count = Cell<UInt64>(0)
        let start = ContinuousClock.now
        let subscription = Observable.timerfd(after: .zero, every: .milliseconds(2), clock: .boottime)
            .subscribe(onNext: { number in count.update { $0 += number } })
        try await eventually("it has expired ten times") { count.value >= 10 }
        subscription.dispose()
        #expect(ContinuousClock.now - start >= .milliseconds(18))
    }

    @Test func timerWithoutPeriodCompletes() async throws {
        let log = Cell<[String]>([])
        let subscription = Observable.timerfd(after: .milliseconds(1)).subscribe(
            onNext: { log.append("\($0)") }, onCompleted: { log.append("|") })
        try await eventually("it has completed") { log.value == ["1", "|"] }
        subscription.dispose()
    }
}
