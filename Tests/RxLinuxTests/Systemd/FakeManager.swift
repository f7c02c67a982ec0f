import CSystemd
import Glibc
import RxEngine
import RxLinux
import TestSupport
import Testing

/// A message bus for one test.
final class TestBus {
    private let folder = TemporaryDirectory()
    var path: String { folder("bus") }
    private var daemon: (any Disposable)?

    var address: String { "unix:path=\(path)" }

    func start() async throws {
        daemon = CommandRunner.run(
            Command(["dbus-daemon", "--session", "--nofork", "--nopidfile", "--nosyslog", "--address=\(address)"])
        )
        .subscribe()
        // The socket exists before the bus listens.
        try await eventually("the bus accepts connections") { [address] in
            var bus: OpaquePointer?
            defer { sd_bus_unref(bus) }
            return sd_bus_new(&bus) >= 0 && sd_bus_set_address(bus, address) >= 0 && sd_bus_start(bus) >= 0
        }
    }

    /// Stops the bus; one that is started next must not lose its socket to it.
    func stop() async throws {
        daemon?.dispose()
        daemon = nil
        try await eventually("the socket of the bus is removed") { access(path, F_OK) != 0 }
    }

    deinit {
        daemon?.dispose()
    }
}

// Unchecked: mutable state is guarded by the lock, or is used by one thread.
/// A service manager as far as a client sees it, on a thread of its own.
final class FakeManager: @unchecked Sendable {
    struct Unit: Sendable {
        var load = "loaded"
        var active = "inactive"
        var sub = "dead"
        var result = "success"
        var job: UInt32 = 0
    }

    private static let name = "org.freedesktop.systemd1"
    private static let managerPath = "/org/freedesktop/systemd1"

    private let lock = Lock()
    private var units: [String: Unit] = [:]
    private var calls: [String] = []
    private var works: [(FakeManager) -> Void] = []
    private var isStopping = false
    /// The effects of `StartUnit` and similar calls: the job's result, `nil` for a job that runs until
    /// ``finish(_:_:)``, or an error with this name.
    private var answers: [String: Answer] = [:]
    private var lastJob: UInt32 = 100
    private var bus: OpaquePointer?
    private var thread: TestSupport.Thread?

    enum Answer: Sendable {
        case result(String)
        /// `JobRemoved` is sent before the answer.
        case early(String)
        case pending
        case error(String)
    }

    init(_ address: String, _ units: [String: Unit] = [:]) throws {
        self.units = units
        try #require(sd_bus_new(&bus) >= 0)
        try #require(sd_bus_set_address(bus, address) >= 0)
        try #require(sd_bus_set_bus_client(bus, 1) >= 0)
        try #require(sd_bus_start(bus) >= 0)
        try #require(sd_bus_request_name(bus, Self.name, 0) >= 0)
        sd_bus_add_filter(
            bus, nil,
            { message, context, _ in
                guard let message, let context else { return 0 }
                return Unmanaged<FakeManager>.fromOpaque(context).takeUnretainedValue().answer(message)
            }, Unmanaged.passUnretained(self).toOpaque())
        thread = TestSupport.Thread { [unowned self] in run() }
    }

    /// Disconnects from the bus.
    func stop() {
        guard let thread else { return }
        lock.locked { isStopping = true }
        thread.join()
        self.thread = nil
        sd_bus_flush_close_unref(bus)
        bus = nil
    }

    deinit {
        stop()
    }

    private func run() {
        while !lock.locked({ isStopping }) {
            for work in lock.locked({ () -> [(FakeManager) -> Void] in
                defer { works = [] }
                return works
            }) {
                work(self)
            }
            while sd_bus_process(bus, nil) > 0 {}
            sd_bus_wait(bus, 5000)
        }
    }

    private func post(_ work: @escaping (FakeManager) -> Void) {
        lock.locked { works.append(work) }
    }

    // MARK: for tests

    /// The received calls, with their first argument.
    var log: [String] { lock.locked { calls } }

    func answer(_ method: String, with answer: Answer) {
        lock.locked { answers[method] = answer }
    }

    /// Changes a unit without a signal.
    func set(_ name: String, _ unit: Unit) {
        lock.locked { units[name] = unit }
    }

    /// Changes a unit, and sends the signals as systemd does: first the one of the unit's type.
    func change(_ name: String, _ unit: Unit) {
        set(name, unit)
        post { manager in
            let service = manager.signal(Self.path(of: name), "org.freedesktop.DBus.Properties", "PropertiesChanged")
            manager.append("s", "org.freedesktop.systemd1.Service", service)
            manager.properties([("Result", "s", unit.result), ("ExecMainPID", "u", "7")], service)
            manager.append(strings: [], service)
            manager.send(service)
            let other = manager.signal(Self.path(of: name), "org.freedesktop.DBus.Properties", "PropertiesChanged")
            manager.append("s", "org.freedesktop.systemd1.Unit", other)
            manager.properties(Self.properties(of: unit), other)
            manager.append(strings: ["Names"], other)
            manager.send(other)
        }
    }

    /// Sends the signal that a unit has been loaded.
    func load(_ name: String, _ unit: Unit) {
        set(name, unit)
        post { manager in
            let signal = manager.signal(Self.managerPath, "org.freedesktop.systemd1.Manager", "UnitNew")
            manager.append("s", name, signal)
            manager.append("o", Self.path(of: name), signal)
            manager.send(signal)
        }
    }

    func reload() {
        post { manager in
            for flag in [Int32(1), 0] {
                let signal = manager.signal(Self.managerPath, "org.freedesktop.systemd1.Manager", "Reloading")
                var flag = flag
                sd_bus_message_append_basic(signal, CChar(UInt8(ascii: "b")), &flag)
                manager.send(signal)
            }
        }
    }

    /// Sends a message that no manager would send.
    func babble(_ name: String) {
        post { manager in
            let signal = manager.signal(Self.path(of: name), "org.freedesktop.DBus.Properties", "PropertiesChanged")
            manager.append("s", "org.freedesktop.systemd1.Unit", signal)
            manager.properties([("ActiveState", "u", "3"), ("Job", "s", "x")], signal)
            manager.send(signal)
            manager.send(manager.signal(Self.managerPath, "org.freedesktop.systemd1.Manager", "JobRemoved"))
            manager.send(manager.signal(Self.managerPath, "org.freedesktop.systemd1.Manager", "UnitNew"))
        }
    }

    /// Ends a job.
    func finish(_ job: UInt32, _ unit: String, _ result: String) {
        post { $0.removed(job, unit, result) }
    }

    // MARK: answering

    private func answer(_ message: OpaquePointer) -> Int32 {
        guard sd_bus_message_is_method_call(message, nil, nil) > 0,
            let member = sd_bus_message_get_member(message).map({ String(cString: $0) }),
            let path = sd_bus_message_get_path(message).map({ String(cString: $0) })
        else { return 0 }
        let (first, second) = (string(message), string(message))
        lock.locked { calls.append([member, first].compactMap(\.self).joined(separator: " ")) }
        let unit = lock.locked { units.first { Self.path(of: $0.key) == path } }?.value
        switch (member, second) {
        case ("Subscribe", _):
            reply(message) { _ in }
        case ("GetUnit", _):
            let isLoaded = lock.locked { first.flatMap { units[$0] } } != nil
            if isLoaded {
                reply(message) { append("o", Self.path(of: first ?? ""), $0) }
            } else {
                fail(message, "org.freedesktop.systemd1.NoSuchUnit")
            }
        case ("GetAll", _):
            if let answer = lock.locked({ answers["GetAll"] }), case .error(let name) = answer {
                fail(message, name)
            } else {
                let missing = Unit(load: "not-found")
                reply(message) { properties(Self.properties(of: unit ?? missing), $0) }
            }
        case ("Get", "Result"):
            reply(message) { variant("s", unit?.result ?? "success", $0) }
        default:
            guard member.hasSuffix("Unit"), let first else { return 0 }
            act(message, member, first)
        }
        return 1
    }

    private func act(_ message: OpaquePointer, _ member: String, _ unit: String) {
        let (job, answer) = lock.locked {
            lastJob += 1
            return (lastJob, answers[member] ?? .result("done"))
        }
        if case .error(let name) = answer { return fail(message, name) }
        if case .early(let result) = answer { removed(job, unit, result) }
        reply(message) { append("o", "/org/freedesktop/systemd1/job/\(job)", $0) }
        if case .result(let result) = answer { removed(job, unit, result) }
    }

    private func removed(_ job: UInt32, _ unit: String, _ result: String) {
        let signal = signal(Self.managerPath, "org.freedesktop.systemd1.Manager", "JobRemoved")
        var number = job
        sd_bus_message_append_basic(signal, CChar(UInt8(ascii: "u")), &number)
        append("o", "/org/freedesktop/systemd1/job/\(job)", signal)
        append("s", unit, signal)
        append("s", result, signal)
        send(signal)
    }

    private static func path(of name: String) -> String {
        var text: UnsafeMutablePointer<CChar>?
        sd_bus_path_encode("/org/freedesktop/systemd1/unit", name, &text)
        defer { free(text) }
        return text.map { String(cString: $0) } ?? ""
    }

    private static func properties(of unit: Unit) -> [(String, String, String)] {
        [
            ("Id", "s", "x"), ("LoadState", "s", unit.load), ("ActiveState", "s", unit.active),
            ("SubState", "s", unit.sub), ("Job", "(uo)", "\(unit.job)"), ("Timestamp", "u", "1"),
        ]
    }

    // MARK: messages

    private func string(_ message: OpaquePointer) -> String? {
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, CChar(UInt8(ascii: "s")), &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }

    private func signal(_ path: String, _ interface: String, _ member: String) -> OpaquePointer? {
        var message: OpaquePointer?
        sd_bus_message_new_signal(bus, &message, path, interface, member)
        return message
    }

    private func send(_ message: OpaquePointer?) {
        sd_bus_send(bus, message, nil)
        sd_bus_message_unref(message)
    }

    private func reply(_ call: OpaquePointer, _ fill: (OpaquePointer?) -> Void) {
        var message: OpaquePointer?
        sd_bus_message_new_method_return(call, &message)
        fill(message)
        send(message)
    }

    private func fail(_ call: OpaquePointer, _ name: String) {
        var error = sd_bus_error()
        sd_bus_error_set(&error, name, "refused")
        sd_bus_reply_method_error(call, &error)
        sd_bus_error_free(&error)
    }

    private func append(_ type: Unicode.Scalar, _ text: String, _ message: OpaquePointer?) {
        sd_bus_message_append_basic(message, CChar(type.value), text)
    }

    private func append(strings: [String], _ message: OpaquePointer?) {
        sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "s")
        for text in strings { append("s", text, message) }
        sd_bus_message_close_container(message)
    }

    private func properties(_ list: [(String, String, String)], _ message: OpaquePointer?) {
        sd_bus_message_open_container(message, CChar(UInt8(ascii: "a")), "{sv}")
        for (name, type, value) in list {
            sd_bus_message_open_container(message, CChar(UInt8(ascii: "e")), "sv")
            append("s", name, message)
            variant(type, value, message)
            sd_bus_message_close_container(message)
        }
        sd_bus_message_close_container(message)
    }

    private func variant(_ type: String, _ value: String, _ message: OpaquePointer?) {
        sd_bus_message_open_container(message, CChar(UInt8(ascii: "v")), type)
        var number = UInt32(value) ?? 0
        switch type {
        case "s": append("s", value, message)
        case "u": sd_bus_message_append_basic(message, CChar(UInt8(ascii: "u")), &number)
        default:
            sd_bus_message_open_container(message, CChar(UInt8(ascii: "r")), "uo")
            sd_bus_message_append_basic(message, CChar(UInt8(ascii: "u")), &number)
            append("o", number == 0 ? "/" : "/org/freedesktop/systemd1/job/\(number)", message)
            sd_bus_message_close_container(message)
        }
        sd_bus_message_close_container(message)
    }
}
