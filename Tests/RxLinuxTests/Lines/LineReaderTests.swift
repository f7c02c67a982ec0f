import CLinux
import Dispatch
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

@Suite(.balanced) struct LineReaderTests {
    private let folder = TemporaryDirectory()

    /// The lines of a sequence, and its end.
    private struct Log: Sendable {
        let events = Cell<[String]>([])

        func note(_ event: Event<Line>) {
            switch event {
            case .next(let line):
                events.append(line.text + (line.isPartial ? "…" : "") + (line.isTruncated ? "+" : ""))
            case .error(let error): events.append("error: \(error)")
            case .completed: events.append("|")
            }
        }
    }

    private func makePipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    private func fifo() throws -> String {
        let path = folder("fifo-\(UInt32.random(in: 0 ... .max))")
        try #require(mkfifo(path, 0o600) == 0)
        return path
    }

    private func put(_ text: String, _ descriptor: Int32) {
        let bytes = Array(text.utf8)
        #expect(write(descriptor, bytes, bytes.count) == bytes.count)
    }

    @Test func pipeIsReadToItsEnd() async throws {
        let (reading, writing) = try makePipe()
        let log = Log()
        let subscription = LineReader.of(reading).subscribe { log.note($0) }
        put("one\ntw", writing)
        try await eventually("a complete line is received") { log.events.value == ["one"] }
        put("o\nrest", writing)
        close(writing)
        try await eventually("and so on") { log.events.value == ["one", "two", "rest…", "|"] }
        subscription.dispose()
        // The descriptor is still open, with unchanged flags.
        #expect(fcntl(reading, F_GETFL) & O_NONBLOCK == 0)
        close(reading)
    }

    @Test func fileIsReadToItsEnd() async throws {
        let file = open("/etc/passwd", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let log = Log()
        let subscription = LineReader.of(file).subscribe { log.note($0) }
        try await eventually("all lines are read") { log.events.value.last == "|" }
        #expect(log.events.value.count > 5 && log.events.value[0].hasPrefix("root:"))
        subscription.dispose()
    }

    @Test func longLinesAreTruncated() async throws {
        let (reading, writing) = try makePipe()
        let log = Log()
        let subscription = LineReader.of(reading, limit: 4).subscribe { log.note($0) }
        let writer = TestSupport.Thread {
            let bytes = Array((String(repeating: "x", count: 100_000) + "\nab\n").utf8)
            var sent = 0
            while sent < bytes.count {
                sent += bytes[sent...].withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
            }
            for number in 0..<20_000 {
                let line = Array("\(number)\n".utf8)
                write(writing, line, line.count)
            }
            close(writing)
        }
        try await eventually("all lines are read") { log.events.value.last == "|" }
        writer.join()
        subscription.dispose()
        let numbers = (0..<20_000).map { $0 < 10_000 ? "\($0)" : "\($0 / 10)+" }
        #expect(log.events.value == ["xxxx+", "ab"] + numbers + ["|"])
        close(reading)
    }

    /// While the observer is busy nothing is read, so that the pipe fills up and its writer blocks.
    @Test func busyObserverBlocksWriter() async throws {
        let (reading, writing) = try makePipe()
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let (begun, go) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let count = Cell(0)
        let subscription = LineReader.of(reading).subscribe(onNext: { _ in
            if count.value == 0 {
                begun.signal()
                go.wait()
            }
            count.update { $0 += 1 }
        })
        put("first\n", writing)
        begun.wait()
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1023) + [0x0A]
        var written = 0
        while write(writing, line, line.count) == line.count { written += 1 }
        #expect(errno == EAGAIN && (32...128).contains(written))
        go.signal()
        try await eventually("everything is received") { count.value == written + 1 }
        subscription.dispose()
        close(writing)
        close(reading)
    }

    @Test func disposingInsideLineStopsDelivery() async throws {
        let (reading, writing) = try makePipe()
        let log = Cell<[String]>([])
        let subscription = SerialDisposable()
        put("a\nb\nc\n", writing)
        let queue = DispatchQueue(label: "test")
        queue.suspend()
        subscription.disposable = LineReader.of(reading, on: queue).subscribe(onNext: { line in
            log.append(line.text)
            if line.text == "b" { subscription.dispose() }
        })
        queue.resume()
        try await eventually("two lines are received") { log.value.count >= 2 }
        put("d\n", writing)
        #expect(log.value == ["a", "b"])
        close(writing)
        close(reading)
    }

    // MARK: FIFOs

    @Test func fifoContinuesWithNextWriter() async throws {
        let path = try fifo()
        let log = Log()
        let subscription = LineReader.fifo(path).subscribe { log.note($0) }
        var expected: [String] = []
        for round in 0..<50 {
            let writing = open(path, O_WRONLY | O_CLOEXEC)
            put("line \(round)\nrest \(round)", writing)
            close(writing)
            expected += ["line \(round)", "rest \(round)…"]
            let wanted = expected
            try await eventually("its lines are received: \(log.events.value.suffix(4)), not \(wanted.suffix(4))") {
                log.events.value == wanted
            }
        }
        subscription.dispose()
    }

    /// A read that finds nothing more while a writer has the FIFO open is no error.
    @Test func linesOfOpenWriterAreEmittedAsTheyArrive() async throws {
        let path = try fifo()
        let log = Log()
        let subscription = LineReader.fifo(path).subscribe { log.note($0) }
        let writing = open(path, O_WRONLY | O_CLOEXEC)
        defer { close(writing) }
        for number in 1...3 {
            put("line \(number)\n", writing)
            try await eventually("line \(number) is received: \(log.events.value)") { log.events.value.count == number }
        }
        #expect(log.events.value == ["line 1", "line 2", "line 3"])
        subscription.dispose()
    }

    @Test func successiveWritersLoseNothing() async throws {
        let path = try fifo()
        let log = Log()
        let subscription = LineReader.fifo(path).subscribe { log.note($0) }
        let writer = TestSupport.Thread {
            for number in 0..<500 {
                let writing = open(path, O_WRONLY | O_CLOEXEC)
                let line = Array("\(number)\n".utf8)
                write(writing, line, line.count)
                close(writing)
            }
        }
        try await eventually("all lines are received") { log.events.value.count == 500 }
        writer.join()
        #expect(log.events.value == (0..<500).map(String.init))
        subscription.dispose()
    }

    @Test func fifoThatIsNotReopenedEndsWithWriter() async throws {
        let path = try fifo()
        let log = Log()
        let subscription = LineReader.fifo(path, reopening: .never).subscribe { log.note($0) }
        let writing = open(path, O_WRONLY | O_CLOEXEC)
        put("a\n", writing)
        close(writing)
        try await eventually("the sequence ends") { log.events.value == ["a", "|"] }
        subscription.dispose()
    }

    @Test(arguments: [
        ("/nonexistent/fifo", "opening the FIFO '/nonexistent/fifo': No such file or directory"),
        ("/etc/passwd", "opening '/etc/passwd', which is not a FIFO (mkfifo makes one): Invalid argument"),
    ])
    func missingFIFOFails(path: String, words: String) async throws {
        let log = Log()
        let subscription = LineReader.fifo(path).subscribe { log.note($0) }
        try await eventually("the sequence fails") { log.events.value == ["error: \(words)"] }
        subscription.dispose()
    }

    // MARK: sockets

    /// A listening socket, and its address.
    private func listen(_ family: Int32, _ path: String) throws -> (descriptor: Int32, port: UInt16) {
        let server = socket(family, rx_socket_stream | rx_socket_cloexec, 0)
        if family == AF_UNIX {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            try #require(bind(server, &address) == 0)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
            try #require(bind(server, &address) == 0)
        }
        try #require(Glibc.listen(server, 8) == 0)
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(server, $0, &size) }
        }
        return (server, UInt16(bigEndian: address.sin_port))
    }

    private func bind<Address>(_ socket: Int32, _ address: inout Address) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.bind(socket, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    @Test(arguments: [AF_UNIX, AF_INET])
    func socketIsReadUntilClosed(family: Int32) async throws {
        let path = folder("socket")
        let (server, port) = try listen(family, path)
        defer { close(server) }
        let log = Log()
        let lines = family == AF_UNIX ? LineReader.socket(path) : LineReader.tcp("localhost", port: port)
        let subscription = lines.subscribe { log.note($0) }
        let peer = accept(server, nil, nil)
        put("hello\nwor", peer)
        try await eventually("the first line is received") { log.events.value == ["hello"] }
        close(peer)
        try await eventually("the sequence completes") { log.events.value == ["hello", "wor…", "|"] }
        subscription.dispose()
    }

    @Test func socketWithoutListenerFails() async throws {
        let (server, port) = try listen(AF_INET, "")
        close(server)
        let log = Log()
        let table: [(Observable<Line>, String)] = [
            (
                LineReader.socket("/nonexistent/socket"),
                "connecting to '/nonexistent/socket': No such file or directory"
            ),
            (LineReader.tcp("127.0.0.1", port: port), "connecting to 127.0.0.1 port \(port): Connection refused"),
            (
                LineReader.socket(String(repeating: "x", count: 200)),
                "connecting to '\(String(repeating: "x", count: 200))': a socket's path has up to 107 bytes: "
                    + "File name too long"
            ),
        ]
        for (lines, words) in table {
            let subscription = lines.subscribe { log.note($0) }
            try await eventually(words) { log.events.value.last == "error: \(words)" }
            subscription.dispose()
        }
    }

    @Test func failsWithoutDescriptor() async {
        await #expect(processExitsWith: .success) {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            let before = pipeDescriptors()
            let log = Log()
            let subscription = LineReader.of(ends[0]).subscribe { log.note($0) }
            write(ends[1], "a\n", 2)
            try await eventually("the line is read") { log.events.value == ["a"] }
            subscription.dispose()
            try await eventually("the duplicate is closed") { pipeDescriptors() == before }
            let reading = ends[0]
            try await withoutDescriptors {
                let subscription = LineReader.of(reading).subscribe { log.note($0) }
                try await eventually("the sequence fails") { log.events.value.count == 2 }
                subscription.dispose()
            }
            #expect(log.events.value.last == "error: duplicating a descriptor: Too many open files")
        }
    }

    @Test func disposeClosesDescriptors() async throws {
        let (reading, writing) = try makePipe()
        let before = ProcessStatistics.current().descriptors
        let subscriptions = (0..<50).map { _ in LineReader.of(reading).subscribe() }
        try await eventually("all descriptors are open") { ProcessStatistics.current().descriptors >= before + 45 }
        for subscription in subscriptions { subscription.dispose() }
        try await eventually("all descriptors are closed") { ProcessStatistics.current().descriptors < before + 20 }
        close(writing)
        close(reading)
    }
}
