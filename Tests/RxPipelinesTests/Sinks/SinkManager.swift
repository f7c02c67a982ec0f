import CSystemd
import Glibc
import RxEngine
import RxLinux
import RxPipelines
import TestSupport
import Testing

/// A message bus for one test.
final class SinkBus {
    private let folder = TemporaryDirectory()
    private var daemon: (any Disposable)?

    var address: String { "unix:path=\(folder("bus"))" }

    func start() async throws {
        daemon = CommandRunner.run(
            Command(["dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", "--address=\(address)"])
        )
        .subscribe()
        try await eventually("the bus accepts connections") { [address] in
            var bus: OpaquePointer?
            defer { sd_bus_unref(bus) }
            return sd_bus_new(&bus) >= 0 && sd_bus_set_address(bus, address) >= 0 && sd_bus_start(bus) >= 0
        }
    }

    deinit {
        daemon?.dispose()
    }
}

// Unchecked: mutable state is guarded by the lock, or is used by one thread.
/// A fake service manager that runs jobs. The unit's name gives the result of its job: `done-…`, `failed-…`,
/// `refused-…`, or no result at all.
final class SinkManager: @unchecked Sendable {
    private let lock = Lock()
    private var isStopping = false
    private var calls: [String] = []
    private var bus: OpaquePointer?
    private var thread: TestSupport.Thread?
    private var lastJob: UInt32 = 0

    init(_ address: String) throws {
        try #require(sd_bus_new(&bus) >= 0)
        try #require(sd_bus_set_address(bus, address) >= 0)
        try #require(sd_bus_set_bus_client(bus, 1) >= 0)
        try #require(sd_bus_start(bus) >= 0)
        try #require(sd_bus_request_name(bus, "org.freedesktop.systemd1", 0) >= 0)
        sd_bus_add_filter(
            bus, nil,
            { message, context, _ in
                guard let message, let context else { return 0 }
                return Unmanaged<SinkManager>.fromOpaque(context).takeUnretainedValue().answer(message)
            }, Unmanaged.passUnretained(self).toOpaque())
        thread = TestSupport.Thread { [unowned self] in
            while !lock.locked({ isStopping }) {
                while sd_bus_process(bus, nil) > 0 {}
                sd_bus_wait(bus, 5000)
            }
        }
    }

    /// The calls for units: method, unit and mode.
    var log: [String] { lock.locked { calls } }

    func stop() {
        lock.locked { isStopping = true }
        thread?.join()
        thread = nil
        bus = sd_bus_flush_close_unref(bus)
    }

    deinit {
        if thread != nil { stop() }
    }

    private func answer(_ message: OpaquePointer) -> Int32 {
        guard sd_bus_message_is_method_call(message, nil, nil) > 0,
            let member = sd_bus_message_get_member(message).map({ String(cString: $0) })
        else { return 0 }
        guard member.hasSuffix("Unit") else {
            var reply: OpaquePointer?
            sd_bus_message_new_method_return(message, &reply)
            send(reply)
            return 1
        }
        let (unit, mode) = (string(message), string(message))
        lock.locked { calls.append("\(member) \(unit) \(mode)") }
        if unit.hasPrefix("refused") {
            var error = sd_bus_error()
            sd_bus_error_set(&error, "org.freedesktop.DBus.Error.AccessDenied", "Permission denied")
            sd_bus_reply_method_error(message, &error)
            sd_bus_error_free(&error)
            return 1
        }
        lastJob += 1
        var reply: OpaquePointer?
        sd_bus_message_new_method_return(message, &reply)
        append("o", "/org/freedesktop/systemd1/job/\(lastJob)", reply)
        send(reply)
        for result in ["done", "failed"] where unit.hasPrefix(result) { removed(unit, result) }
        return 1
    }

    private func removed(_ unit: String, _ result: String) {
        var signal: OpaquePointer?
        sd_bus_message_new_signal(
            bus, &signal, "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "JobRemoved")
        var number = lastJob
        sd_bus_message_append_basic(signal, CChar(UInt8(ascii: "u")), &number)
        append("o", "/org/freedesktop/systemd1/job/\(lastJob)", signal)
        append("s", unit, signal)
        append("s", result, signal)
        send(signal)
    }

    private func string(_ message: OpaquePointer) -> String {
        var text: UnsafePointer<CChar>?
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text)
        return text.map { String(cString: $0) } ?? ""
    }

    private func append(_ type: Unicode.Scalar, _ text: String, _ message: OpaquePointer?) {
        sd_bus_message_append_basic(message, CChar(type.value), text)
    }

    private func send(_ message: OpaquePointer?) {
        sd_bus_send(bus, message, nil)
        sd_bus_message_unref(message)
    }
}

extension SinkManager {
    /// Starts a manager on a bus of its own, and makes a host with its units.
    static func start() async throws -> (bus: SinkBus, manager: SinkManager, host: Host) {
        let bus = SinkBus()
        try await bus.start()
        let units = Units(on: .address(bus.address), firstRetry: .milliseconds(10), longestRetry: .milliseconds(50))
        return (bus, try SinkManager(bus.address), Host(units: units))
    }
}
