import Dispatch
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

@Suite(.balanced) struct SignalsTests {
    /// Runs `body` on a thread of its own, whose signal mask no other test uses.
    private func onNewThread(_ body: @escaping @Sendable () throws -> Void) throws {
        let outcome = Cell<Result<Void, any Error>?>(nil)
        let context = Unmanaged.passRetained(Job { outcome.update { $0 = Result(catching: body) } })
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body() }
                return nil
            }, context.toOpaque())
        #expect(status == 0)
        pthread_join(thread, nil)
        try #require(outcome.value).get()
    }

    private final class Job {
        let body: () -> Void

        init(_ body: @escaping () -> Void) {
            self.body = body
        }
    }

    @Test func blockIsInheritedByStartedThreads() throws {
        try onNewThread {
            var none = sigset_t()
            pthread_sigmask(SIG_SETMASK, &none, nil)
            try ProcessSignals.block([SIGUSR1, SIGHUP])
            #expect(blocked([SIGUSR1, SIGUSR2, SIGHUP]) == [SIGUSR1, SIGHUP])
            try SignalsTests().onNewThread { #expect(blocked([SIGUSR1, SIGUSR2, SIGHUP]) == [SIGUSR1, SIGHUP]) }

            // Unblocked, it would end the process, which is its default action.
            pthread_kill(pthread_self(), SIGUSR1)
            var pending = sigset_t()
            sigpending(&pending)
            #expect(sigismember(&pending, SIGUSR1) == 1)
        }
    }

    @Test func unblockedSignalsInterruptThread() throws {
        try onNewThread {
            try ProcessSignals.block([SIGUSR1, SIGHUP])
            try ProcessSignals.unblock([SIGUSR1])
            #expect(blocked([SIGUSR1, SIGHUP]) == [SIGHUP])
        }
    }

    @Test func signalsAreEmitted() async {
        await #expect(processExitsWith: .success) {
            parkMainThread()
            try ProcessSignals.block([SIGUSR1, SIGUSR2])
            let log = Cell<[Int32]>([])
            let subscription = ProcessSignals.observe([SIGUSR1, SIGUSR2], on: DispatchQueue(label: "test"))
                .subscribe(onNext: { log.append($0) })
            kill(getpid(), SIGUSR1)
            try await eventually("the first signal is received") { log.value == [SIGUSR1] }
            kill(getpid(), SIGUSR2)
            try await eventually("the second signal is received") { log.value == [SIGUSR1, SIGUSR2] }
            subscription.dispose()
            kill(getpid(), SIGUSR1)
            try await eventually("the signal is pending") { isPending(SIGUSR1) }
            #expect(log.value == [SIGUSR1, SIGUSR2])
        }
    }

    @Test func oneSignalIsEmitted() async {
        await #expect(processExitsWith: .success) {
            parkMainThread()
            try ProcessSignals.block([SIGUSR1])
            let log = Cell<[Int32]>([])
            let subscription = Observable.signal(SIGUSR1).subscribe(onNext: { log.append($0) })
            kill(getpid(), SIGUSR1)
            try await eventually("the signal is received") { log.value == [SIGUSR1] }
            subscription.dispose()
        }
    }

    @Test func pendingSignalsAreEmitted() async {
        await #expect(processExitsWith: .success) {
            parkMainThread()
            try ProcessSignals.block([SIGUSR1])
            kill(getpid(), SIGUSR1)
            kill(getpid(), SIGUSR1)
            let log = Cell<[Int32]>([])
            let subscription = ProcessSignals.observe([SIGUSR1], on: DispatchQueue(label: "test"))
                .subscribe(onNext: { log.append($0) })
            try await eventually("the signal is received") { log.value == [SIGUSR1] }
            subscription.dispose()
        }
    }

    @Test func disposeClosesDescriptor() async {
        await #expect(processExitsWith: .success) {
            let signals = ProcessSignals.observe([SIGUSR1], on: DispatchQueue(label: "test"))
            // Other threads may open or close a few descriptors.
            let before = ProcessStatistics.current().descriptors
            let subscriptions = (0..<50).map { _ in signals.subscribe() }
            #expect(ProcessStatistics.current().descriptors >= before + 45)
            for subscription in subscriptions { subscription.dispose() }
            try await eventually("all descriptors are closed") { ProcessStatistics.current().descriptors < before + 25 }
        }
    }

    @Test func failsWithoutDescriptor() async {
        await #expect(processExitsWith: .success) {
            let descriptors = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit(rlim_cur: 0, rlim_max: 0)
            getrlimit(descriptors, &limit)
            limit.rlim_cur = 0
            setrlimit(descriptors, &limit)
            let log = Cell<[String]>([])
            ProcessSignals.observe([SIGUSR1], on: DispatchQueue(label: "test"))
                .subscribe(onError: { error in log.append("\(error)") })
                .dispose()
            limit.rlim_cur = limit.rlim_max
            setrlimit(descriptors, &limit)
            #expect(log.value == ["making a signal descriptor: Too many open files"])
        }
    }
}

/// Which of these signals the calling thread blocks.
private func blocked(_ signals: [Int32]) -> [Int32] {
    var mask = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &mask)
    return signals.filter { sigismember(&mask, $0) == 1 }
}

private func isPending(_ signal: Int32) -> Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, signal) == 1
}

/// Keeps all threads of a test's process from receiving signals.
///
/// Dispatch's workers block them already, but the main thread of an asynchronous program waits in `sigsuspend` for any
/// signal. So it is sent into a handler that blocks all signals, and never returns.
private func parkMainThread() {
    var action = sigaction()
    sigfillset(&action.sa_mask)
    action.__sigaction_handler.sa_handler = { _ in
        write(parked.1, "p", 1)
        while true { pause() }
    }
    sigaction(SIGALRM, &action, nil)
    kill(getpid(), SIGALRM)
    var byte: UInt8 = 0
    #expect(read(parked.0, &byte, 1) == 1)
}

/// The ends of a pipe, which a signal handler may write to.
private let parked: (Int32, Int32) = {
    var ends: [Int32] = [0, 0]
    pipe(&ends)
    return (ends[0], ends[1])
}()
