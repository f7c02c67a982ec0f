import CLinux
import Dispatch
import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

@Suite(.balanced) struct LocalServerTests {
    private let path = "/tmp/rx-local-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    private let queue = DispatchQueue(label: "tests")

    private func serve(_ body: @escaping @Sendable (LocalRequest) -> Void) -> any Disposable {
        LocalServer.requests(at: path, on: queue).subscribe(onNext: body, onError: { Issue.record("\($0)") })
    }

    private func ask(_ text: String) throws -> String {
        String(decoding: try LocalCall.ask(Array(text.utf8), at: path, within: .seconds(10)), as: UTF8.self)
    }

    @Test func aLineGetsAnAnswer() throws {
        let server = serve { $0.answer(Array("heard ".utf8) + $0.text) }
        #expect(try ask("one") == "heard one")
        #expect(try ask("two") == "heard two")
        server.dispose()
    }

    @Test func theKernelSaysWhoAsks() throws {
        let server = serve { $0.answer(Array("\($0.peer.process) \($0.peer.user) \($0.peer.group)".utf8)) }
        #expect(try ask("who") == "\(getpid()) \(getuid()) \(getgid())")
        server.dispose()
    }

    @Test func anAnswerMayBeLongAndLate() throws {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 1_000_000)
        let server = serve { request in DispatchQueue.global().async { request.answer(long) } }
        #expect(try ask("much").utf8.count == long.count)
        server.dispose()
    }

    @Test func whoGetsNoAnswerIsHungUpOn() throws {
        let server = serve { _ in }
        #expect(try ask("anything") == "")
        server.dispose()
    }

    @Test func tooLongALineIsNotHeard() throws {
        let heard = Box(0)
        let server = serve { _ in heard.update { $0 += 1 } }
        // The server hangs up before it has read everything, which a caller may meet as an error.
        _ = try? ask(String(repeating: "x", count: 200_000))
        #expect(try ask("short") == "")
        #expect(heard.value == 1)
        server.dispose()
    }

    @Test func aSocketThatIsAnsweredIsNotTakenAway() throws {
        let server = serve { $0.answer(Array("first".utf8)) }
        let error = Box<(any Error)?>(nil)
        LocalServer.requests(at: path, on: queue).subscribe(onError: { problem in error.update { $0 = problem } })
            .dispose()
        #expect(error.value as? SystemError == SystemError(EADDRINUSE, "listening at \(path)"))
        #expect(try ask("who") == "first")
        server.dispose()
    }

    @Test func norIsOneWhoseServerIsBusy() throws {
        let address = try SocketAddress(unix: path)
        let busy = socket(AF_UNIX, rx_socket_stream, 0)
        #expect(address.bind(busy) == 0 && listen(busy, 0) == 0)
        var callers: [Int32] = []
        while let caller = try? address.beginConnecting("calling") { callers.append(caller.release()) }
        let error = Box<(any Error)?>(nil)
        LocalServer.requests(at: path, on: queue).subscribe(onError: { problem in error.update { $0 = problem } })
            .dispose()
        #expect(error.value as? SystemError == SystemError(EADDRINUSE, "listening at \(path)"))
        #expect(access(path, F_OK) == 0)
        for descriptor in callers + [busy] { close(descriptor) }
        unlink(path)
    }

    @Test func manyCallAtOnce() {
        let server = serve { $0.answer($0.text) }
        let answers = Box<Set<String>>([])
        inParallel(64) { number in
            guard let answer = try? ask("\(number)") else { return }
            answers.update { $0.insert(answer) }
        }
        #expect(answers.value.count == 64)
        server.dispose()
    }

    @Test func whatADeadProcessLeftIsReplaced() throws {
        let left = socket(AF_UNIX, rx_socket_stream, 0)
        #expect(try SocketAddress(unix: path).bind(left) == 0)
        close(left)
        #expect(access(path, F_OK) == 0)
        let server = serve { $0.answer($0.text) }
        #expect(try ask("new") == "new")
        server.dispose()
    }

    /// Whoever is waiting outside is there at once again when he is asked for.
    @Test func aCallerWhoCannotBeLetInCostsNoProcessorTime() async {
        await #expect(processExitsWith: .success) {
            await warmUpDispatch()
            let path = "/tmp/rx-local-\(getpid())"
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
            let spent = clock()
            #expect(poll(&answer, 1, 300) == 0)
            #expect(clock() - spent < 150_000)
            openFilesLimit = before
            #expect(poll(&answer, 1, 10_000) == 1)
            var bytes = [UInt8](repeating: 0, count: 7)
            #expect(read(caller, &bytes, 7) == 7 && bytes == Array("at last".utf8))
            server.dispose()
        }
    }

    @Test func disposingRemovesTheSocket() {
        serve { _ in }.dispose()
        #expect(access(path, F_OK) == -1)
        #expect(throws: SystemError(ENOENT, "asking at \(path)")) { _ = try ask("anybody?") }
    }
}
