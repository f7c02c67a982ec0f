import Glibc
import RxLinux
import TestSupport
import Testing

struct ServiceManagerTests {
    @Test func messagesMatchSystemdFormat() async {
        await #expect(processExitsWith: .success) {
            let table: [(ServiceManager.Message, String)] = [
                (.ready, "READY=1"),
                (.stopping, "STOPPING=1"),
                (.watchdog, "WATCHDOG=1"),
                (.status("1 source, 2 pipelines"), "STATUS=1 source, 2 pipelines"),
                (.status(""), "STATUS="),
                (.status("a\nREADY=1\r\nb\u{2028}c"), "STATUS=a READY=1 b c"),
                (.errorNumber(13), "ERRNO=13"),
                (.busError("org.example.Error.Late\nREADY=1"), "BUSERROR=org.example.Error.Late READY=1"),
                (.mainProcess(4711), "MAINPID=4711"),
                (.watchdogTrigger, "WATCHDOG=trigger"),
                (.watchdogInterval(.milliseconds(20)), "WATCHDOG_USEC=20000"),
                (.other("X_MINE=1"), "X_MINE=1"),
                (.extendTimeout(.seconds(7)), "EXTEND_TIMEOUT_USEC=7000000"),
                (.extendTimeout(.microseconds(1_500_001)), "EXTEND_TIMEOUT_USEC=1500001"),
                (.extendTimeout(.microseconds(Int64.max)), "EXTEND_TIMEOUT_USEC=9223372036854775807"),
                (.extendTimeout(.microseconds(Int64.max) + .seconds(2)), "EXTEND_TIMEOUT_USEC=9223372036854775807"),
                (.extendTimeout(.seconds(Int64.max)), "EXTEND_TIMEOUT_USEC=9223372036854775807"),
                (.extendTimeout(.seconds(-1)), "EXTEND_TIMEOUT_USEC=0"),
            ]
            let socket = try NotifySocket()
            for (message, text) in table {
                try ServiceManager.notify(message)
                #expect(socket.message() == text)
            }
            try ServiceManager.notify(.ready, .status("up"))
            #expect(socket.message() == "READY=1\nSTATUS=up")
            #expect(socket.message() == nil)
        }
    }

    @Test func reloadingHasMonotonicTime() async {
        await #expect(processExitsWith: .success) {
            let socket = try NotifySocket()
            let before = microseconds()
            try ServiceManager.notify(.reloading)
            let text = try #require(socket.message())
            let time = try #require(text.split(separator: "=").last.flatMap { Int($0) })
            #expect(text == "RELOADING=1\nMONOTONIC_USEC=\(time)")
            #expect((before...microseconds()).contains(time))
        }
    }

    @Test func nothingIsSentWithoutManager() async {
        await #expect(processExitsWith: .success) {
            unsetenv("NOTIFY_SOCKET")
            try ServiceManager.notify(.ready)
        }
    }

    @Test func missingManagerIsError() async {
        await #expect(processExitsWith: .success) {
            setenv("NOTIFY_SOCKET", "/nonexistent/notify", 1)
            let error = #expect(throws: SystemError.self) { try ServiceManager.notify(.ready) }
            #expect(error?.description == "notifying the service manager: No such file or directory")
        }
    }

    // MARK: descriptors

    @Test func descriptorsAreStoredAndRemoved() async {
        await #expect(processExitsWith: .success) {
            let socket = try NotifySocket()
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            try ServiceManager.store([ends[0]], name: "queue")
            let stored = try #require(socket.messageWithDescriptors())
            #expect(stored.text == "FDSTORE=1\nFDNAME=queue" && stored.descriptors.count == 1)
            // It is the same pipe, under another number.
            write(ends[1], "x", 1)
            var byte: UInt8 = 0
            #expect(read(stored.descriptors[0], &byte, 1) == 1 && byte == UInt8(ascii: "x"))

            try ServiceManager.store([Int32](repeating: ends[0], count: 300), name: "a b", dropsBroken: false)
            let (first, second) = (socket.messageWithDescriptors(), socket.messageWithDescriptors())
            #expect(first?.text == "FDSTORE=1\nFDNAME=a b\nFDPOLL=0" && second?.text == first?.text)
            // The socket's buffer for them takes 64; the second message had 47.
            #expect(first?.descriptors.count == 64 && second?.descriptors.count == 47)

            try ServiceManager.forget(named: "queue")
            #expect(socket.message() == "FDSTOREREMOVE=1\nFDNAME=queue")
        }
    }

    @Test(arguments: ["", "a:b", "a\nREADY=1", "ä", String(repeating: "x", count: 256)])
    func invalidDescriptorNameIsError(name: String) {
        #expect(throws: SystemError.self) { try ServiceManager.store([0], name: name) }
        #expect(throws: SystemError.self) { try ServiceManager.forget(named: name) }
    }

    @Test func passedDescriptorsAreTakenOnce() async {
        await #expect(processExitsWith: .success) {
            #expect(try ServiceManager.takePassedDescriptors() == [])
            // Their expected numbers begin here; a descriptor of this process with that number must move.
            let file = open("/dev/null", O_RDONLY)
            for number in Int32(3)...4 { dup2(file, number) }
            set("LISTEN_PID", String(getpid()))
            set("LISTEN_FDS", "2")
            set("LISTEN_FDNAMES", "queue:web")
            let passed = try ServiceManager.takePassedDescriptors()
            #expect(passed.map(\.name) == ["queue", "web"] && passed.map(\.descriptor) == [3, 4])
            #expect(passed.allSatisfy { fcntl($0.descriptor, F_GETFD) & FD_CLOEXEC != 0 })
            #expect(try ServiceManager.takePassedDescriptors() == [])
            #expect(getenv("LISTEN_FDS") == nil)

            set("LISTEN_PID", "1")
            set("LISTEN_FDS", "2")
            #expect(try ServiceManager.takePassedDescriptors() == [])
        }
    }

    @Test func barrierWaitsForManager() async {
        await #expect(processExitsWith: .success) {
            let socket = try NotifySocket()
            let error = #expect(throws: SystemError.self) { try ServiceManager.barrier(within: .milliseconds(10)) }
            #expect(error?.description == "waiting for the service manager: Connection timed out")
            #expect(socket.message() == "BARRIER=1")

            // The manager has processed the message when it has closed the received descriptors.
            let manager = TestSupport.Thread {
                while true {
                    guard let (text, descriptors) = socket.messageWithDescriptors() else { continue }
                    for descriptor in descriptors { close(descriptor) }
                    if text == "BARRIER=1" { return }
                }
            }
            try ServiceManager.notify(.ready)
            try ServiceManager.barrier(within: .seconds(10))
            manager.join()
            unsetenv("NOTIFY_SOCKET")
            try ServiceManager.barrier(within: .zero)
        }
    }

    @Test func watchdogIntervalIsForThisProcessOnly() async {
        await #expect(processExitsWith: .success) {
            let own = String(getpid())
            let table: [(time: String?, process: String?, Duration?)] = [
                ("30000000", own, .seconds(30)),
                ("30000000", nil, .seconds(30)),
                ("1500", own, .microseconds(1500)),
                ("30000000", "1", nil),
                (nil, own, nil),
                ("0", own, nil),
                ("soon", own, nil),
            ]
            for (time, process, interval) in table {
                set("WATCHDOG_USEC", time)
                set("WATCHDOG_PID", process)
                #expect(ServiceManager.watchdogInterval == interval, "\(time ?? "-") for \(process ?? "-")")
            }
        }
    }
}

private func set(_ name: String, _ value: String?) {
    if let value { setenv(name, value, 1) } else { unsetenv(name) }
}

private func microseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
}
