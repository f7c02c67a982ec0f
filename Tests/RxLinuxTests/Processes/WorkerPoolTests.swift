import Glibc
import RxEngine
import TestSupport
import Testing

@testable import RxLinux

/// Processes that answer requests of one letter each.
@Suite(.balanced, .serialized) struct WorkerPoolTests {
    /// `h` is never answered, `s` after two seconds and `w` when `$NOTES-go` exists, which both note in `$NOTES`
    /// before. `k` kills the process and notes that there; so does `d`, but its socket stays open. Everything else is
    /// answered with `x`.
    private static let script = """
        while letter=$(head -c 5 | tail -c 1) && [ "$letter" ]; do
          case $letter in
            h) exec sleep 100 ;;
            s) echo slow >> "$NOTES"; sleep 2; printf '\\001\\000\\000\\000x' ;;
            w) echo slow >> "$NOTES"; until [ -e "$NOTES-go" ]; do sleep 0.05; done; printf '\\001\\000\\000\\000x' ;;
            d) echo killed >> "$NOTES"; sleep 100 & kill -9 $$ ;;
            k) echo killed >> "$NOTES"; kill -9 $$ ;;
            *) printf '\\001\\000\\000\\000x' ;;
          esac
        done
        """

    private let folder = TemporaryDirectory()
    private var notes: String { folder("notes") }

    private func pool(
        maximum: Int, idleTime: Duration = .seconds(60), promptTime: Duration = .milliseconds(50),
        maximumWaiting: Int = 32
    ) -> WorkerPool<String> {
        var environment = Command.inheritedEnvironment
        environment["NOTES"] = notes
        let command = Command(["sh", "-c", Self.script], environment: environment)
        return WorkerPool(
            command, maximum: maximum, idleTime: idleTime, promptTime: promptTime, answerLimit: 100,
            maximumWaiting: maximumWaiting)
    }

    private func ask(
        _ pool: WorkerPool<String>, _ letter: Unicode.Scalar, for key: String = "a",
        within time: Duration = .seconds(20), share: Duration = .zero
    ) -> Result<[UInt8], WorkerError> {
        Result { () throws(WorkerError) in
            try pool.exchange([UInt8(ascii: letter)], for: key, within: time, share: share)
        }
    }

    private let answer = Result<[UInt8], WorkerError>.success([UInt8(ascii: "x")])

    /// Three keys whose requests always hang, and a fourth whose requests do not.
    @Test func keyWithShortRequestsIsNotStarved() {
        // On a busy machine an answer takes long too: two processes start for each.
        let pool = pool(maximum: 2, promptTime: .seconds(1))
        for key in ["a", "b", "c"] {
            #expect(ask(pool, "h", for: key, within: .milliseconds(1200)) == .failure(.timeout))
        }
        let hanging = ["a", "b", "c"].map { key in
            TestSupport.Thread { _ = ask(pool, "h", for: key, within: .seconds(8)) }
        }
        for _ in 0..<20 { #expect(ask(pool, "i", for: "d", within: .seconds(6)) == answer) }
        for thread in hanging { thread.join() }
        pool.end()
    }

    /// Keys that were never seen have requests that hang, all at once. Requests of a known and of a new key are
    /// answered long before those have ended.
    @Test func newSlowKeysLeaveProcessToOthers() async throws {
        let pool = pool(maximum: 2, promptTime: .seconds(1))
        #expect(ask(pool, "i", for: "known") == answer)
        let isOver = Cell(0)
        let hanging = (0..<4).map { number in
            TestSupport.Thread {
                _ = ask(pool, "h", for: "new \(number)", within: .seconds(9))
                isOver.update { $0 += 1 }
            }
        }
        try await eventually("two of them have a process") { pool.busyCount == 2 && pool.waitingCount == 2 }
        #expect(ask(pool, "i", for: "known", within: .seconds(8)) == answer)
        #expect(ask(pool, "i", for: "quick", within: .seconds(8)) == answer)
        #expect(isOver.value == 0)
        for thread in hanging { thread.join() }
        #expect(pool.waitingCount == 0 && pool.busyCount == 0)
        pool.end()
    }

    /// A slow request that yields its process to a short one is answered later.
    @Test func requestThatYieldsIsAnswered() async throws {
        let pool = pool(maximum: 2, promptTime: .milliseconds(100))
        let answers = Cell<[Result<[UInt8], WorkerError>]>([])
        let slow = ["a", "b"].map { key in
            TestSupport.Thread {
                let answer = ask(pool, "w", for: key, within: .seconds(60))
                answers.append(answer)
            }
        }
        try await eventually("both have a process") { KernelFile.text(of: notes) == "slow\nslow\n" }
        #expect(ask(pool, "i", for: "c") == answer, "it has not waited for the slow ones")
        #expect(answers.value.isEmpty)
        folder.write("notes-go", "")
        for thread in slow { thread.join() }
        #expect(answers.value == [answer, answer])
        #expect(KernelFile.text(of: notes) == "slow\nslow\nslow\n", "one of them began twice")
        pool.end()
    }

    /// A process that ends by itself while its request yields may have crashed because of that: the request fails.
    @Test func requestWhoseProcessEndsWhileItYieldsIsNotRetried() async throws {
        let pool = pool(maximum: 2, promptTime: .milliseconds(100))
        let answers = Cell<[Result<[UInt8], WorkerError>]>([])
        // A request whose whole time is its share does not yield.
        let hanging = TestSupport.Thread {
            _ = ask(pool, "h", for: "a", within: .seconds(5), share: .seconds(5))
        }
        let crashing = TestSupport.Thread {
            let answer = ask(pool, "d", for: "b")
            answers.append(answer)
        }
        try await eventually("both have a process") {
            pool.busyCount == 2 && KernelFile.text(of: notes) == "killed\n"
        }
        #expect(ask(pool, "i", for: "c") == answer)
        crashing.join()
        #expect(answers.value == [.failure(.signal(SIGKILL))] && KernelFile.text(of: notes) == "killed\n")
        hanging.join()
        pool.end()
    }

    /// Two slow requests use both processes while nothing else waits.
    @Test func slowRequestsKeepProcessesThatNoneWaitsFor() {
        let pool = pool(maximum: 2, promptTime: .milliseconds(100))
        let answers = Cell<[Result<[UInt8], WorkerError>]>([])
        let slow = ["a", "b"].map { key in
            TestSupport.Thread {
                let answer = ask(pool, "s", for: key)
                answers.append(answer)
            }
        }
        for thread in slow { thread.join() }
        #expect(answers.value == [answer, answer] && KernelFile.text(of: notes) == "slow\nslow\n")
        pool.end()
    }

    /// Idle processes end, also those of a second time.
    @Test func idleProcessesEnd() async throws {
        let pool = pool(maximum: 2, idleTime: .milliseconds(20))
        for _ in 0..<2 {
            #expect(ask(pool, "i") == answer)
            try await eventually("no process is idle") { pool.idleCount == 0 }
        }
        pool.end()
    }

    @Test func waitHasTimeout() async throws {
        let pool = pool(maximum: 1)
        let hanging = TestSupport.Thread { _ = ask(pool, "h", within: .seconds(2)) }
        try await eventually("the worker is busy") { pool.busyCount == 1 }
        #expect(ask(pool, "i", for: "b", within: .milliseconds(20)) == .failure(.busy))
        hanging.join()
        #expect(ask(pool, "i", for: "b") == answer)
        pool.end()
    }

    /// Each request that waits blocks a thread: beyond a limit, a request fails at once, unless its key is prompt.
    @Test func waitingRequestsAreBounded() async throws {
        // A process may take long to start.
        let pool = pool(maximum: 1, promptTime: .seconds(2), maximumWaiting: 3)
        #expect(ask(pool, "i", for: "prompt") == answer)
        let isOver = Cell(0)
        let hanging = (0..<4).map { _ in
            TestSupport.Thread {
                _ = ask(pool, "h", within: .seconds(3))
                isOver.update { $0 += 1 }
            }
        }
        try await eventually("three requests wait") { pool.waitingCount == 3 }
        let start = ContinuousClock.now
        #expect(ask(pool, "i", for: "b", within: .seconds(100)) == .failure(.busy))
        #expect(isOver.value == 0 && ContinuousClock.now - start < .seconds(50))
        #expect(ask(pool, "i", for: "prompt", within: .milliseconds(100)) == .failure(.busy))
        #expect(ContinuousClock.now - start > .milliseconds(100), "it has waited")
        for thread in hanging { thread.join() }
        #expect(pool.waitingCount == 0 && ask(pool, "i", for: "b") == answer)
        pool.end()
    }

    /// Requests of slow keys wait, but a process is free.
    @Test func requestWithFreeProcessNeedNotWait() async throws {
        let pool = pool(maximum: 2, maximumWaiting: 1)
        for key in ["a", "b"] {
            #expect(ask(pool, "h", for: key, within: .milliseconds(200)) == .failure(.timeout))
        }
        let hanging = ["a", "b"].map { key in
            TestSupport.Thread { _ = ask(pool, "h", for: key, within: .seconds(2)) }
        }
        try await eventually("one waits for the other") { pool.busyCount == 1 && pool.waitingCount == 1 }
        #expect(ask(pool, "i", for: "c") == answer)
        #expect(ask(pool, "i", for: "a") == .failure(.busy))
        for thread in hanging { thread.join() }
        pool.end()
    }

    /// One key can use all processes but one.
    @Test func keyLeavesProcessToOthers() async throws {
        let pool = pool(maximum: 3, promptTime: .seconds(20))
        let hanging = (0..<3).map { _ in TestSupport.Thread { _ = ask(pool, "h", for: "a", within: .seconds(3)) } }
        try await eventually("two have a process") { pool.busyCount == 2 && pool.waitingCount == 1 }
        #expect(ask(pool, "i", for: "b") == answer)
        for thread in hanging { thread.join() }
        pool.end()
    }

    /// A request that has a process no longer waits, even before its thread goes on.
    @Test func requestsWithProcessesDoNotCountAsWaiting() async throws {
        let pool = pool(maximum: 9, promptTime: .seconds(20), maximumWaiting: 0)
        let answers = Cell<[Result<[UInt8], WorkerError>]>([])
        let threads = (0..<8).map { number in
            TestSupport.Thread {
                let answer = ask(pool, "i", for: "\(number)")
                answers.update { $0.append(answer) }
            }
        }
        for thread in threads { thread.join() }
        #expect(answers.value == Array(repeating: answer, count: 8))
        pool.end()
    }

    /// The kernel ends such processes first when memory is short.
    @Test func processKilledWhileIdleFailsNoRequest() {
        let pool = pool(maximum: 2)
        #expect(ask(pool, "i") == answer)
        for _ in 0..<20 {
            // The shell, and the process that reads for it.
            for number in pool.idleNumbers { kill(-number, SIGKILL) }
            #expect(ask(pool, "i") == answer && pool.idleCount == 1)
        }
        pool.end()
    }

    @Test func requestThatKillsProcessIsNotRetried() throws {
        let pool = pool(maximum: 2)
        #expect(ask(pool, "i") == answer)
        #expect(ask(pool, "k") == .failure(.signal(SIGKILL)))
        #expect(ask(pool, "k") == .failure(.signal(SIGKILL)))
        #expect(ask(pool, "i") == answer)
        #expect(KernelFile.text(of: notes) == "killed\nkilled\n")
        pool.end()
    }
}
