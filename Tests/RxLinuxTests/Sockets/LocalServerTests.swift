import CLinux
import Dispatch
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

@Suite(.balanced) struct LocalServerTests {
    private let folder = TemporaryDirectory()
    private var path: String { folder("socket") }
    private let queue = DispatchQueue(label: "tests")

    private func serve(_ body: @escaping @Sendable (LocalRequest) -> Void) -> any Disposable {
        LocalServer.requests(at: path, on: queue).subscribe(onNext: body, onError: { Issue.record("\($0)") })
    }

    private func ask(_ text: String) throws -> String {
        String(decoding: try LocalCall.ask(Array(text.utf8), at: path, within: .seconds(10)), as: UTF8.self)
    }

    @Test func lineIsAnswered() throws {
        let server = serve { $0.answer(Array("received ".utf8) + $0.text) }
        #expect(try ask("one") == "received one")
        #expect(try ask("two") == "received two")
        server.dispose()
    }

    @Test func peerCredentialsAreThoseOfKernel() throws {
        let server = serve { $0.answer(Array("\($0.peer.process) \($0.peer.user) \($0.peer.group)".utf8)) }
        #expect(try ask("who") == "\(getpid()) \(getuid()) \(getgid())")
        server.dispose()
    }

    @Test func answerMayBeLongAndLate() throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
        let server = serve { request in DispatchQueue.global().async { request.answer(long) } }
        #expect(try ask("much").utf8.count == long.count)
        server.dispose()
    }

    @Test func connectionWithoutAnswerIsClosed() throws {
        let server = serve { _ in }
        #expect(try ask("anything") == "")
        server.dispose()
    }

    /// Lines of a stream arrive until the server ends it.
    @Test func streamSendsLines() async throws {
        let ended = Cell(0)
        let server = serve { request in
            guard let stream = request.stream(onEnd: { ended.update { $0 += 1 } }) else { return }
            #expect(request.stream(onEnd: {}) == nil)
            request.answer(Array("ignored".utf8))
            for number in 1...1000 { #expect(stream.send(Array("line \(number)\n".utf8))) }
            stream.end()
            #expect(!stream.send(Array("late\n".utf8)))
        }
        var lines: [String] = []
        try LocalCall.follow(Array("go".utf8), at: path, within: .seconds(10)) {
            lines.append(String(decoding: $0, as: UTF8.self))
            return true
        }
        #expect(lines == (1...1000).map { "line \($0)" })
        try await eventually("the stream has ended") { ended.value == 1 }
        server.dispose()
    }

    /// A client that does not read loses lines, and delays nobody. When it goes, the stream ends.
    @Test func slowClientOfStreamLosesLines() async throws {
        let stream = Cell<LocalStream?>(nil)
        let ended = Cell(0)
        let server = serve { request in
            let open = request.stream { ended.update { $0 += 1 } }
            stream.update { $0 = open }
        }
        let lost = Cell(0)
        let received = Cell<[String]>([])
        try LocalCall.follow(Array("go".utf8), at: path, within: .seconds(10)) { line in
            received.append(String(decoding: line, as: UTF8.self))
            return false
        } whenConnected: {
            while stream.value == nil { sched_yield() }
            let line = [UInt8](repeating: UInt8(ascii: "x"), count: 9_999) + [UInt8(ascii: "\n")]
            for _ in 0..<500 where stream.value?.send(line) == false { lost.update { $0 += 1 } }
        }
        #expect(lost.value > 400 && received.value.count == 1)
        try await eventually("the stream has ended") { ended.value == 1 }
        #expect(stream.value?.send([UInt8(ascii: "\n")]) == false)
        stream.update { $0 = nil }
        server.dispose()
    }

    /// The end of the server, and the release of the stream, end it.
    @Test(arguments: [true, false]) func streamEndsWithServer(isReleased: Bool) async throws {
        let stream = Cell<LocalStream?>(nil)
        let ended = Cell(0)
        let server = serve { request in
            let open = request.stream { ended.update { $0 += 1 } }
            stream.update { $0 = open }
        }
        let isOver = Cell(false)
        let client = TestSupport.Thread { [path] in
            _ = try? LocalCall.follow(Array("go".utf8), at: path, within: .seconds(10)) { _ in true }
            isOver.update { $0 = true }
        }
        try await eventually("the stream is open") { stream.value != nil }
        if isReleased { stream.update { $0 = nil } } else { server.dispose() }
        try await eventually("the client has seen the end") { isOver.value && ended.value == 1 }
        client.join()
        server.dispose()
    }

    @Test func tooLongLineIsNotReceived() throws {
        let received = Cell(0)
        let server = serve { _ in received.update { $0 += 1 } }
        // The server closes the connection before it has read everything, which may be an error for the client.
        _ = try? ask(String(repeating: "x", count: 200_000))
        #expect(try ask("short") == "")
        #expect(received.value == 1)
        server.dispose()
    }

    @Test func socketOfRunningServerIsNotReplaced() throws {
        let server = serve { $0.answer(Array("first".utf8)) }
        let error = Cell<(any Error)?>(nil)
        LocalServer.requests(at: path, on: queue).subscribe(onError: { problem in error.update { $0 = problem } })
            .dispose()
        #expect(error.value as? SystemError == SystemError(EADDRINUSE, "listening at \(path)"))
        #expect(try ask("who") == "first")
        server.dispose()
    }

    @Test func socketOfBusyServerIsNotReplaced() throws {
        let address = try SocketAddress(unix: path)
        let busy = socket(AF_UNIX, rx_socket_stream, 0)
        #expect(address.bind(busy) == 0 && listen(busy, 0) == 0)
        var callers: [Int32] = []
        while let caller = try? address.beginConnecting("calling") { callers.append(caller.release()) }
        let error = Cell<(any Error)?>(nil)
        LocalServer.requests(at: path, on: queue).subscribe(onError: { problem in error.update { $0 = problem } })
            .dispose()
        #expect(error.value as? SystemError == SystemError(EADDRINUSE, "listening at \(path)"))
        #expect(access(path, F_OK) == 0)
        for descriptor in callers + [busy] { close(descriptor) }
    }

    @Test func manyConcurrentClientsAreAnswered() {
        let server = serve { $0.answer($0.text) }
        let answers = Cell<Set<String>>([])
        inParallel(64) { number in
            guard let answer = try? ask("\(number)") else { return }
            answers.update { $0.insert(answer) }
        }
        #expect(answers.value.count == 64)
        server.dispose()
    }

    @Test func socketOfDeadProcessIsReplaced() throws {
        let left = socket(AF_UNIX, rx_socket_stream, 0)
        #expect(try SocketAddress(unix: path).bind(left) == 0)
        close(left)
        #expect(access(path, F_OK) == 0)
        let server = serve { $0.answer($0.text) }
        #expect(try ask("new") == "new")
        server.dispose()
    }

    @Test func onlySocketOfDeadProcessIsRemoved() throws {
        let server = serve { $0.answer($0.text) }
        LocalServer.removeUnanswered(at: path)
        #expect(try ask("still there") == "still there")
        server.dispose()
        let left = socket(AF_UNIX, rx_socket_stream, 0)
        #expect(try SocketAddress(unix: path).bind(left) == 0)
        close(left)
        LocalServer.removeUnanswered(at: path)
        #expect(access(path, F_OK) != 0)
    }

    /// A client that is refused connects again immediately.
    @Test func refusedClientTakesNoProcessorTime() async {
        await #expect(processExitsWith: .success) {
            await warmUpDispatch()
            let folder = TemporaryDirectory()
            let path = folder("socket")
            let server = LocalServer.requests(at: path, on: DispatchQueue(label: "tests"))
                .subscribe(onNext: { $0.answer(Array("at last".utf8)) })
            let (caller, before) = (socket(AF_UNIX, rx_socket_stream, 0), openFilesLimit)
            let next = open("/dev/null", O_RDONLY)
            close(next)
            openFilesLimit.rlim_cur = rlim_t(next)
            let status = try SocketAddress(unix: path).connect(caller)
            #expect(status == 0)
            write(caller, "anybody?\n", 9)
            var answer = pollfd(fd: caller, events: Int16(POLLIN), revents: 0)
            // A server that retries at once takes all of the time that the machine leaves it in each of these spans.
            let spent = (0..<10).map { _ in
                let before = clock()
                #expect(poll(&answer, 1, 100) == 0)
                return clock() - before
            }
            #expect(spent.min() ?? 0 < 10_000, "\(spent)")
            openFilesLimit = before
            #expect(poll(&answer, 1, 10_000) == 1)
            var bytes = [UInt8](repeating: 0, count: 7)
            #expect(read(caller, &bytes, 7) == 7 && bytes == Array("at last".utf8))
            server.dispose()
        }
    }

    // MARK: limits

    /// A connection that has sent nothing.
    private func silentConnection() throws -> Int32 {
        try SocketAddress(unix: path).beginConnecting("connecting").release()
    }

    private func limits(transfer: Duration = .seconds(10), answer: Duration = .seconds(120), connections: Int = 128)
        -> LocalServer.Limits
    {
        var limits = LocalServer.Limits()
        (limits.transferTimeout, limits.answerTimeout) = (transfer, answer)
        limits.connectionsPerUser = connections
        return limits
    }

    @Test func silentConnectionsDoNotBlockOthers() throws {
        let server = serve { $0.answer($0.text) }
        var silent: [Int32] = []
        for number in 0..<300 {
            silent.append(try silentConnection())
            if number % 50 == 0 { #expect(try ask("\(number)") == "\(number)") }
        }
        #expect(try ask("now") == "now")
        for connection in silent { close(connection) }
        server.dispose()
    }

    /// A user's new connections end that user's oldest connection, and one that has sent its line is answered.
    @Test func newConnectionReplacesOldestSilentOne() async throws {
        let requests = Cell<[LocalRequest]>([])
        let server = LocalServer.requests(at: path, limits: limits(connections: 3), on: queue)
            .subscribe(onNext: { request in requests.append(request) })
        let asking = try silentConnection()
        write(asking, "first\n", 6)
        try await eventually("the request is received") { requests.value.count == 1 }
        let silent = try (0..<3).map { _ in try silentConnection() }
        var byte: UInt8 = 0
        var first = pollfd(fd: silent[0], events: Int16(POLLIN), revents: 0)
        #expect(poll(&first, 1, 10_000) == 1 && read(silent[0], &byte, 1) == 0)
        requests.value.first?.answer([UInt8(ascii: "!")])
        var answer = pollfd(fd: asking, events: Int16(POLLIN), revents: 0)
        #expect(poll(&answer, 1, 10_000) == 1 && read(asking, &byte, 1) == 1 && byte == UInt8(ascii: "!"))
        for connection in silent + [asking] { close(connection) }
        requests.update { $0 = [] }
        server.dispose()
    }

    /// Each byte is in time, but all together are not.
    @Test func slowlySentLineIsNotReceived() async throws {
        let received = Cell(0)
        let server = LocalServer.requests(at: path, limits: limits(transfer: .milliseconds(300)), on: queue)
            .subscribe(onNext: { _ in received.update { $0 += 1 } })
        let slow = try silentConnection()
        try await eventually("the connection is closed") {
            send(slow, "x", 1, Int32(MSG_NOSIGNAL)) < 0 && errno == EPIPE
        }
        #expect(received.value == 0)
        close(slow)
        server.dispose()
    }

    /// A handler that keeps requests and never answers them keeps no connection, and no slot of its user.
    @Test func unansweredRequestIsClosed() async throws {
        let requests = Cell<[LocalRequest]>([])
        let server = LocalServer.requests(
            at: path, limits: limits(transfer: .seconds(60), answer: .milliseconds(200), connections: 2), on: queue
        ).subscribe(onNext: { request in requests.append(request) })
        let waiting = try (0..<2).map { _ in try silentConnection() }
        for connection in waiting { #expect(write(connection, "line\n", 5) == 5) }
        var byte: UInt8 = 0
        for connection in waiting {
            var readable = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
            #expect(poll(&readable, 1, 10_000) == 1 && read(connection, &byte, 1) == 0)
        }
        #expect(requests.value.count == 2)
        // There is room for another, and a late answer is dropped.
        let start = ContinuousClock.now
        #expect(try ask("now") == "")
        #expect(ContinuousClock.now - start >= .milliseconds(200))
        for request in requests.value { request.answer([UInt8(ascii: "!")]) }
        for connection in waiting { close(connection) }
        requests.update { $0 = [] }
        server.dispose()
    }

    /// The time limit for the answer does not end one that is being sent.
    @Test func startedAnswerIsSentBeyondTimeLimit() async throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 4_000_000)
        let server = LocalServer.requests(at: path, limits: limits(answer: .milliseconds(100)), on: queue)
            .subscribe(onNext: { $0.answer(long) })
        let slow = try silentConnection()
        write(slow, "line\n", 5)
        var taken = 0
        var block = [UInt8](repeating: 0, count: 200_000)
        var readable = pollfd(fd: slow, events: Int16(POLLIN), revents: 0)
        let start = ContinuousClock.now
        while poll(&readable, 1, 10_000) == 1, case let count = read(slow, &block, block.count), count > 0 {
            taken += count
            // Slower than the limit in total.
            if ContinuousClock.now - start < .milliseconds(300) { poll(nil, 0, 20) }
        }
        #expect(taken == long.count && ContinuousClock.now - start > .milliseconds(100))
        close(slow)
        server.dispose()
    }

    /// The server's queues and other clients do not wait for a client that reads its answer slowly.
    @Test func unreadAnswerDelaysNoOtherClient() async throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 4_000_000)
        let server = LocalServer.requests(at: path, limits: limits(transfer: .seconds(2)), on: queue)
            .subscribe(onNext: { $0.answer($0.text == Array("long".utf8) ? long : $0.text) })
        let slow = try silentConnection()
        write(slow, "long\n", 5)
        for number in 0..<20 { #expect(try ask("\(number)") == "\(number)") }
        // At the time limit, only the bytes that were sent arrive.
        var taken = 0
        var block = [UInt8](repeating: 0, count: 1 << 16)
        var readable = pollfd(fd: slow, events: Int16(POLLHUP), revents: 0)
        #expect(poll(&readable, 1, 10_000) == 1)
        while case let count = recv(slow, &block, block.count, Int32(MSG_DONTWAIT)), count > 0 { taken += count }
        #expect(taken > 0 && taken < long.count)
        close(slow)
        server.dispose()
    }

    @Test func refusedPeerIsAnsweredAtOnce() throws {
        let received = Cell(0)
        let server = LocalServer.requests(
            at: path, on: queue, refusal: { Array("not you, \($0.user)".utf8) }
        ).subscribe(onNext: { _ in received.update { $0 += 1 } })
        let connection = try silentConnection()
        var readable = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        #expect(poll(&readable, 1, 10_000) == 1)
        var block = [UInt8](repeating: 0, count: 100)
        let count = read(connection, &block, block.count)
        #expect(String(decoding: block[..<max(0, count)], as: UTF8.self) == "not you, \(getuid())")
        #expect(received.value == 0)
        close(connection)
        server.dispose()
    }

    /// However the request and the answer meet: the server closes the connection without reading the request.
    @Test func refusalReachesClient() throws {
        let server = LocalServer.requests(at: path, on: queue, refusal: { _ in Array("not you\n".utf8) }).subscribe()
        let (path, lines) = (path, Cell<[String]>([]))
        for _ in 0..<200 {
            let answer = try LocalCall.ask(Array("status".utf8), at: path, within: .seconds(10))
            #expect(String(decoding: answer, as: UTF8.self) == "not you\n")
            let hasEnded = try LocalCall.follow(Array("tap".utf8), at: path, within: .seconds(10)) { line in
                lines.append(String(decoding: line, as: UTF8.self))
                return true
            }
            #expect(hasEnded)
        }
        #expect(lines.value == Array(repeating: "not you", count: 200))
        server.dispose()
    }

    @Test func socketPermissionsAllowOwnerOnly() {
        let server = serve { _ in }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        server.dispose()
    }

    /// The link may lead to the socket of another server, and a file may have other contents.
    @Test(arguments: [true, false]) func fileThatIsNotSocketIsNotReplaced(isLink: Bool) {
        if isLink { symlink("/nonexistent/control", path) } else { close(open(path, O_CREAT | O_WRONLY, 0o600)) }
        let error = Cell<(any Error)?>(nil)
        LocalServer.requests(at: path, on: queue).subscribe(onError: { problem in error.update { $0 = problem } })
            .dispose()
        #expect(error.value as? SystemError == SystemError(EADDRINUSE, "listening at \(path)"))
        var status = stat()
        #expect(lstat(path, &status) == 0)
    }

    @Test func connectionsAreCountedByUser() {
        var table = LocalConnectionTable(maximumPerUser: 2)
        #expect(table.enter(1, of: 0) == .admitted && table.enter(2, of: 0) == .admitted)
        // Another user has room.
        #expect(table.enter(3, of: 5) == .admitted)
        #expect(table.enter(4, of: 0) == .inPlaceOf(1))
        table.received(2, of: 0)
        #expect(table.enter(5, of: 0) == .inPlaceOf(4))
        table.received(5, of: 0)
        #expect(table.enter(6, of: 0) == .refused)
        table.leave(2, of: 0)
        #expect(table.enter(7, of: 0) == .admitted)
        for number in [5, 7] { table.leave(number, of: 0) }
        #expect(!table.isEmpty)
        table.leave(3, of: 5)
        #expect(table.isEmpty)
    }

    /// A connection that was pending at the end is closed without being read.
    @Test func connectionAcceptedAfterCloseIsNotRead() throws {
        let listener = try LocalServer.listen(at: path, 0o600)
        let received = Cell(0)
        let acceptor = LocalAcceptor(limits(connections: 3), refusal: { _ in nil }) { _ in received.update { $0 += 1 } }
        let connection = try silentConnection()
        write(connection, "line\n", 5)
        acceptor.close()
        acceptor.queue.sync { acceptor.accept(from: listener) }
        var byte: UInt8 = 0
        var end = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        #expect(poll(&end, 1, 10_000) == 1 && read(connection, &byte, 1) <= 0)
        acceptor.queue.sync {}
        #expect(received.value == 0)
        close(connection)
        close(listener)
    }

    @Test func disposeRemovesSocket() {
        serve { _ in }.dispose()
        #expect(access(path, F_OK) == -1)
        #expect(throws: SystemError(ENOENT, "connecting to \(path)")) { _ = try ask("anybody?") }
    }
}
