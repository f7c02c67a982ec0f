import CSystemd
import Glibc

extension ServiceSandbox {
    private static let manager = "org.freedesktop.systemd1"
    private static let (unitInterface, serviceInterface) = ("\(manager).Unit", "\(manager).Service")

    /// Asks the service manager for the sandbox and the credentials of a service, including the drop-ins of its unit.
    ///
    /// Returns `nil` if there is no answer within a second, or no such service. It blocks.
    public init?(of service: String) {
        var bus: OpaquePointer?
        guard sd_bus_open_system(&bus) >= 0, let bus else { return nil }
        defer { sd_bus_close_unref(bus) }
        sd_bus_set_method_call_timeout(bus, 1_000_000)
        let unit = UnitProperties(bus: bus, path: "/org/freedesktop/systemd1/unit/" + Self.escaped(service))
        guard unit.string("LoadState", of: Self.unitInterface) == "loaded",
            let protectHome = unit.string("ProtectHome", of: Self.serviceInterface)
        else { return nil }
        self.init()
        func list(_ name: String) -> [String] { unit.list(name, of: Self.serviceInterface) }
        self.protectHome = protectHome
        protectSystem = unit.string("ProtectSystem", of: Self.serviceInterface) ?? "no"
        hasPrivateTmp = unit.flag("PrivateTmp", of: Self.serviceInterface)
        hasPrivateDevices = unit.flag("PrivateDevices", of: Self.serviceInterface)
        inaccessible = list("InaccessiblePaths").map(Self.path)
        readOnly = list("ReadOnlyPaths").map(Self.path)
        readWrite = list("ReadWritePaths").map(Self.path)
        for (name, place) in [
            ("StateDirectory", "/var/lib"), ("RuntimeDirectory", "/run"), ("CacheDirectory", "/var/cache"),
            ("LogsDirectory", "/var/log"),
        ] {
            let names = list(name).map { $0.prefix { $0 != ":" } }
            // With a dynamic user, the first path is a link to the second.
            owned += names.flatMap { ["\(place)/\($0)", "\(place)/private/\($0)"] }
        }
        owned.append("/run/credentials/\(service)")
        protectsKernelTunables = unit.flag("ProtectKernelTunables", of: Self.serviceInterface)
        protectsControlGroups = unit.flag("ProtectControlGroups", of: Self.serviceInterface)
        bound = ["BindPaths", "BindReadOnlyPaths"].flatMap { unit.places($0, of: Self.serviceInterface) }
        user = Self.user(of: service, unit)
        credentials = Self.credentials(unit)
    }

    private static func credentials(_ unit: UnitProperties) -> ServiceCredentials {
        func pairs(_ name: String, _ type: String = "ss") -> [(String, String)] {
            unit.pairs(name, of: serviceInterface, type)
        }
        var credentials = ServiceCredentials()
        credentials.loaded =
            pairs("LoadCredential").map { .init($0, from: $1) }
            + pairs("LoadCredentialEncrypted").map { .init($0, from: $1, isEncrypted: true) }
        credentials.set = ["SetCredential", "SetCredentialEncrypted"].flatMap { pairs($0, "say").map(\.0) }
        // Only newer service managers have pairs with the new names: what a pattern matches begins with its new name.
        let renamed = pairs("ImportCredentialEx")
        credentials.imported =
            renamed.isEmpty
            ? unit.list("ImportCredential", of: serviceInterface)
            : renamed.map { $1.isEmpty ? $0 : $0.hasSuffix("*") ? "\($1)*" : $1 }
        return credentials
    }

    private static func user(of service: String, _ unit: UnitProperties) -> ServiceUser {
        func text(_ name: String) -> String { unit.string(name, of: serviceInterface) ?? "" }
        let groups = unit.list("SupplementaryGroups", of: serviceInterface) + [text("Group")].filter { !$0.isEmpty }
        let isDynamic = unit.flag("DynamicUser", of: serviceInterface)
        let name = text("User").isEmpty && isDynamic ? String(service.prefix { $0 != "." }) : text("User")
        let isRoot = ["", "root", "0"].contains(name)
        // In a user namespace of its own, a service has no capability over files of others.
        let capabilities =
            unit.flag("PrivateUsers", of: serviceInterface)
            ? 0 : unit.number(isRoot ? "CapabilityBoundingSet" : "AmbientCapabilities", of: serviceInterface)
        return ServiceUser(named: isRoot ? "root" : name, groups: groups, capabilities: capabilities)
    }

    /// Returns a path of a unit without the marks before it.
    private static func path(_ text: String) -> String {
        String(text.drop { $0 == "-" || $0 == "+" })
    }

    /// Escapes the name of a unit for its object path on the bus.
    private static func escaped(_ name: String) -> String {
        name.utf8.map { byte in
            let isKept = byte.isLetter || byte.isDigit
            return isKept ? String(UnicodeScalar(byte)) : "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

/// The properties of one unit, read one by one.
private struct UnitProperties {
    let bus: OpaquePointer
    let path: String
    private let manager = "org.freedesktop.systemd1"

    init(bus: OpaquePointer, path: String) {
        self.bus = bus
        self.path = path
    }

    func string(_ name: String, of interface: String) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard sd_bus_get_property_string(bus, manager, path, interface, name, nil, &text) >= 0 else { return nil }
        defer { free(text) }
        return text.map { String(cString: $0) }
    }

    func flag(_ name: String, of interface: String) -> Bool {
        var flag: Int32 = 0
        let kind = CChar(UInt8(ascii: "b"))
        return sd_bus_get_property_trivial(bus, manager, path, interface, name, nil, kind, &flag) >= 0 && flag != 0
    }

    func number(_ name: String, of interface: String) -> UInt64 {
        var number: UInt64 = 0
        let kind = CChar(UInt8(ascii: "t"))
        let status = sd_bus_get_property_trivial(bus, manager, path, interface, name, nil, kind, &number)
        return status < 0 ? 0 : number
    }

    func list(_ name: String, of interface: String) -> [String] {
        var list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        guard sd_bus_get_property_strv(bus, manager, path, interface, name, nil, &list) >= 0 else { return [] }
        defer { free(list) }
        var texts: [String] = []
        var next = list
        while let text = next?.pointee {
            texts.append(String(cString: text))
            free(text)
            next = next.map { $0 + 1 }
        }
        return texts
    }

    /// The pairs of a list: the first text of each, and the second one if it is a text, too.
    func pairs(_ name: String, of interface: String, _ type: String) -> [(String, String)] {
        var reply: OpaquePointer?
        guard sd_bus_get_property(bus, manager, path, interface, name, nil, &reply, "a(\(type))") >= 0, let reply else {
            return []
        }
        defer { sd_bus_message_unref(reply) }
        let message = BusMessage(reply)
        var pairs: [(String, String)] = []
        _ = message.inside("a", "(\(type))") { () -> Bool? in
            while let pair = message.inside(
                "r", type,
                { () -> (String, String)? in
                    guard let first = message.string() else { return nil }
                    if type == "ss" { return message.string().map { (first, $0) } }
                    message.skip(String(type.dropFirst()))
                    return (first, "")
                })
            {
                pairs.append(pair)
            }
            return true
        }
        return pairs
    }

    /// The destinations of a list of bind mounts.
    func places(_ name: String, of interface: String) -> [String] {
        var reply: OpaquePointer?
        guard sd_bus_get_property(bus, manager, path, interface, name, nil, &reply, "a(ssbt)") >= 0, let reply else {
            return []
        }
        defer { sd_bus_message_unref(reply) }
        let message = BusMessage(reply)
        var places: [String] = []
        _ = message.inside("a", "(ssbt)") { () -> Bool? in
            while let place = message.inside(
                "r", "ssbt",
                { () -> String? in
                    let place = message.string() == nil ? nil : message.string()
                    message.skip("bt")
                    return place
                })
            {
                places.append(place)
            }
            return true
        }
        return places
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
}
