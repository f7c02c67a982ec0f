import CSystemd
import Glibc

/// A message on the bus: a received one, which is valid while its handler runs, or one to send.
struct BusMessage: ~Copyable {
    let raw: OpaquePointer

    /// Retains `raw`, which has another owner.
    init(_ raw: OpaquePointer) {
        self.raw = sd_bus_message_ref(raw)
    }

    /// Takes ownership of the message that a call created, or throws the error of the call.
    fileprivate init(owning raw: OpaquePointer?, _ status: Int32) throws(SystemError) {
        guard status >= 0, let raw else { throw SystemError(-status, "writing to the bus") }
        self.raw = raw
    }

    deinit {
        sd_bus_message_unref(raw)
    }

    /// The error that the message contains, if it is the error of a method.
    var error: BusError? {
        guard let error = sd_bus_message_get_error(raw)?.pointee else { return nil }
        return BusError(
            name: error.name.map { String(cString: $0) } ?? "",
            message: error.message.map { String(cString: $0) } ?? "")
    }

    // MARK: Reading: `nil` for unexpected contents

    func string(_ type: Character = "s") -> String? {
        var text: UnsafePointer<CChar>?
        guard let kind = type.asciiValue, sd_bus_message_read_basic(raw, CChar(kind), &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }

    func number() -> UInt32? {
        var number: UInt32 = 0
        return sd_bus_message_read_basic(raw, CChar(UInt8(ascii: "u")), &number) > 0 ? number : nil
    }

    func flag() -> Bool? {
        var flag: Int32 = 0
        return sd_bus_message_read_basic(raw, CChar(UInt8(ascii: "b")), &flag) > 0 ? flag != 0 : nil
    }

    /// Calls `body` inside a container, or a variant.
    func inside<Result>(_ type: Character, _ contents: String, _ body: () -> Result?) -> Result? {
        guard let kind = type.asciiValue, sd_bus_message_enter_container(raw, CChar(kind), contents) > 0 else {
            return nil
        }
        let result = body()
        guard sd_bus_message_exit_container(raw) >= 0 else { return nil }
        return result
    }

    func skip(_ types: String) {
        sd_bus_message_skip(raw, types)
    }

    /// The type of the next variant's contents.
    func variantContents() -> String? {
        var kind: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(raw, &kind, &contents) > 0, kind == CChar(UInt8(ascii: "v")) else { return nil }
        return contents.map { String(cString: $0) }
    }

    // MARK: Writing

    /// Creates a call of a method with strings as its arguments.
    static func call(
        on bus: OpaquePointer, _ destination: String, _ path: String, _ interface: String, _ method: String,
        _ arguments: [String]
    ) throws(SystemError) -> BusMessage {
        var raw: OpaquePointer?
        let status = sd_bus_message_new_method_call(bus, &raw, destination, path, interface, method)
        let message = try BusMessage(owning: raw, status)
        for argument in arguments {
            let status = sd_bus_message_append_basic(message.raw, CChar(UInt8(ascii: "s")), argument)
            if status < 0 { throw SystemError(-status, "writing to the bus") }
        }
        return message
    }
}

/// An error that a peer on the bus returned.
public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name, such as `org.freedesktop.DBus.Error.AccessDenied`.
    public let name: String
    /// The error in words.
    public let message: String

    /// Creates an error.
    public init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    /// Whether there was no answer, rather than a refusal.
    var isNoReply: Bool {
        ["NoReply", "Timeout", "TimedOut", "Disconnected", "ServiceUnknown", "NameHasNoOwner"].contains {
            name == "org.freedesktop.DBus.Error.\($0)"
        }
    }

    /// `message (name)`.
    public var description: String {
        message.isEmpty ? name : "\(message) (\(name))"
    }
}
