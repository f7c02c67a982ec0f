import CSystemd
import Dispatch
import Glibc
import RxEngine

// Unchecked: used on its queue only.
/// A connection to a message bus, driven by a dispatch queue.
final class BusConnection: @unchecked Sendable {
    typealias Handler = (borrowing BusMessage) -> Void

    private let queue: DispatchQueue
    private let onLost: @Sendable (SystemError) -> Void
    private let alarm: OneShotTimer
    private var bus: OpaquePointer?
    private var readSource: ReadableDescriptor?
    private var writeSource: WritableDescriptor?
    private var contexts: [ObjectIdentifier: Context] = [:]

    /// The context of a callback of libsystemd.
    private final class Context {
        weak var connection: BusConnection?
        let isReply: Bool
        let handler: Handler
        var slot: OpaquePointer?

        init(_ connection: BusConnection, isReply: Bool, _ handler: @escaping Handler) {
            self.connection = connection
            self.isReply = isReply
            self.handler = handler
        }

        deinit {
            sd_bus_slot_unref(slot)
        }
    }

    /// Starts to connect.
    ///
    /// - Parameters:
    ///   - address: the bus.
    ///   - queue: the queue of the connection and of all callbacks.
    ///   - onLost: called once if connecting fails or the connection breaks, unless it was closed.
    init(
        _ address: Units.Bus, on queue: DispatchQueue, onLost: @escaping @Sendable (SystemError) -> Void
    ) throws(SystemError) {
        self.queue = queue
        self.onLost = onLost
        alarm = OneShotTimer(on: queue)
        try DescriptorReserve.check("connecting to \(address)")
        var bus: OpaquePointer?
        let status = Self.open(&bus, address)
        self.bus = bus
        do throws(SystemError) {
            guard status >= 0, let bus else { throw SystemError(-status, "connecting to \(address)") }
            let number = sd_bus_get_fd(bus)
            guard number >= 0 else { throw SystemError(-number, "connecting to \(address)") }
            // Each source closes its descriptor, so each needs its own.
            let toRead = try Descriptor.duplicate(number)
            let toWrite = try Descriptor.duplicate(number)
            readSource = ReadableDescriptor(toRead.release(), on: queue) { [weak self] in self?.process() }
            writeSource = WritableDescriptor(toWrite.release(), on: queue) { [weak self] in self?.process() }
        } catch {
            close()
            throw error
        }
        queue.async { [weak self] in self?.process() }
    }

    deinit {
        close()
    }

    private static func open(_ bus: inout OpaquePointer?, _ address: Units.Bus) -> Int32 {
        switch address {
        case .system: return sd_bus_open_system(&bus)
        case .address(let text):
            var status = sd_bus_new(&bus)
            if status >= 0 { status = sd_bus_set_address(bus, text) }
            if status >= 0 { status = sd_bus_set_bus_client(bus, 1) }
            return status < 0 ? status : sd_bus_start(bus)
        }
    }

    /// Closes the connection; no callback is called any more.
    func close() {
        alarm.cancel()
        readSource.take()?.dispose()
        writeSource.take()?.dispose()
        contexts = [:]
        if let bus = bus.take() { sd_bus_close_unref(bus) }
    }

    /// Calls a method with strings as its arguments, and `reply` with the answer.
    func call(
        _ destination: String, _ path: String, _ interface: String, _ method: String, _ arguments: [String],
        _ reply: @escaping Handler
    ) {
        guard let bus else { return }
        do throws(SystemError) {
            let message = try BusMessage.call(on: bus, destination, path, interface, method, arguments)
            let context = Context(self, isReply: true, reply)
            let status = sd_bus_call_async(
                bus, &context.slot, message.raw, Self.callback, Unmanaged.passUnretained(context).toOpaque(), 0)
            guard status >= 0 else { throw SystemError(-status, "calling \(method) on the bus") }
            contexts[ObjectIdentifier(context)] = context
            update()
        } catch {
            fail(error)
        }
    }

    /// Calls `handler` with each message that matches `rule` until the returned value is disposed, on the queue.
    func match(_ rule: String, _ handler: @escaping Handler) -> any Disposable {
        guard let bus else { return Disposables.create() }
        let context = Context(self, isReply: false, handler)
        let status = sd_bus_add_match_async(
            bus, &context.slot, rule, Self.callback, nil, Unmanaged.passUnretained(context).toOpaque())
        guard status >= 0 else {
            fail(SystemError(-status, "listening on the bus"))
            return Disposables.create()
        }
        let key = ObjectIdentifier(context)
        contexts[key] = context
        update()
        return Disposables.create { [weak self] in
            guard let self else { return }
            let context = contexts.removeValue(forKey: key)
            withExtendedLifetime(context) {}
            update()
        }
    }

    private static let callback: sd_bus_message_handler_t = { message, userdata, _ in
        guard let message, let userdata else { return 0 }
        let context = Unmanaged<Context>.fromOpaque(userdata).takeUnretainedValue()
        if context.isReply { context.connection?.contexts[ObjectIdentifier(context)] = nil }
        context.handler(BusMessage(message))
        return 0
    }

    /// Processes incoming and outgoing messages.
    private func process() {
        for _ in 0..<64 {
            guard let bus else { return }
            // Retained, because a handler may close the connection.
            sd_bus_ref(bus)
            let status = sd_bus_process(bus, nil)
            sd_bus_unref(bus)
            if status < 0 { return fail(SystemError(-status, "exchanging messages with the system bus")) }
            if status == 0 { return update() }
        }
        queue.async { [weak self] in self?.process() }
    }

    /// Waits for the events and the timeout that libsystemd asks for.
    private func update() {
        guard let bus else { return }
        let events = sd_bus_get_events(bus)
        guard events >= 0 else { return fail(SystemError(-events, "exchanging messages with the system bus")) }
        if events & Int32(POLLOUT) != 0 { writeSource?.waitAgain() }
        var deadline: UInt64 = 0
        guard sd_bus_get_timeout(bus, &deadline) >= 0, deadline != .max else { return alarm.cancel() }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let elapsed = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
        alarm.set(after: .microseconds(max(0, Int64(clamping: deadline) - elapsed))) { [weak self] in self?.process() }
    }

    private func fail(_ error: SystemError) {
        guard bus != nil else { return }
        close()
        // Asynchronously: the caller of this connection is not prepared for a call back.
        queue.async { [onLost] in onLost(error) }
    }
}
