import Glibc
import RxLinux
import Testing

struct ServiceManagerTests {
    @Test func messagesAreWhatSystemdReads() async {
        await #expect(processExitsWith: .success) {
            let table: [(ServiceManager.Message, String)] = [
                (.ready, "READY=1"),
                (.stopping, "STOPPING=1"),
                (.watchdog, "WATCHDOG=1"),
                (.status("1 source, 2 pipelines"), "STATUS=1 source, 2 pipelines"),
                (.status(""), "STATUS="),
                (.status("a\nREADY=1\r\nb\u{2028}c"), "STATUS=a READY=1 b c"),
                (.extendTimeout(.seconds(7)), "EXTEND_TIMEOUT_USEC=7000000"),
                (.extendTimeout(.microseconds(1_500_001)), "EXTEND_TIMEOUT_USEC=1500001"),
                (.extendTimeout(.microseconds(Int64.max)), "EXTEND_TIMEOUT_USEC=9223372036854775807"),
                (.extendTimeout(.microseconds(Int64.max) + .seconds(2)), "EXTEND_TIMEOUT_USEC=9223372036854775807"),
                (.extendTimeout(.seconds(Int64.max)), "EXTEND_TIMEOUT_USEC=9223372036854775807"),
                (.extendTimeout(.seconds(-1)), "EXTEND_TIMEOUT_USEC=0"),
            ]
            let socket = try NotifySocket()
            for (message, text) in table {
                try ServiceManager.tell(message)
                #expect(socket.message() == text)
            }
            try ServiceManager.tell(.ready, .status("up"))
            #expect(socket.message() == "READY=1\nSTATUS=up")
            #expect(socket.message() == nil)
        }
    }

    @Test func reloadingCarriesTheMonotonicTime() async {
        await #expect(processExitsWith: .success) {
            let socket = try NotifySocket()
            let before = microseconds()
            try ServiceManager.tell(.reloading)
            let text = try #require(socket.message())
            let time = try #require(text.split(separator: "=").last.flatMap { Int($0) })
            #expect(text == "RELOADING=1\nMONOTONIC_USEC=\(time)")
            #expect((before...microseconds()).contains(time))
        }
    }

    @Test func withoutAManagerNothingIsSaid() async {
        await #expect(processExitsWith: .success) {
            unsetenv("NOTIFY_SOCKET")
            try ServiceManager.tell(.ready)
        }
    }

    @Test func aManagerThatHasGoneIsAnError() async {
        await #expect(processExitsWith: .success) {
            setenv("NOTIFY_SOCKET", "/nonexistent/notify", 1)
            let error = #expect(throws: SystemError.self) { try ServiceManager.tell(.ready) }
            #expect(error?.description == "telling the service manager: No such file or directory")
        }
    }

    @Test func theWatchdogIntervalIsForThisProcess() async {
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
