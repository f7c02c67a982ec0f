import CLinux
import Glibc

/// A host name to look up.
package struct HostName: Hashable, Sendable {
    /// The name in lower case.
    package let name: String
    /// The address family to look up.
    package let family: HTTPRoute.Family

    package init(_ name: String, _ family: HTTPRoute.Family) {
        self.name = name
        self.family = family
    }

    /// An error for a name without addresses.
    package struct Failure: Error, Sendable, Hashable {
        /// The reason in words.
        package let words: String
        /// Whether no name server answered: another lookup may find the name.
        package let isTemporary: Bool

        package init(_ words: String, isTemporary: Bool) {
            self.words = words
            self.isTemporary = isTemporary
        }
    }

    /// `EAI_NODATA`, and `NI_MAXHOST`, which not every C library declares.
    private static let (noAddress, longest): (Int32, Int) = (-5, 1025)
    /// The most addresses of a name that are tried.
    private static let maximumAddresses = 16

    /// Looks the addresses up with the system's resolver (`/etc/hosts`, DNS), which may block for a long time.
    func lookUp() -> Result<[String], Failure> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_family =
            switch family {
            case .any: AF_UNSPEC
            case .ipv4: AF_INET
            case .ipv6: AF_INET6
            }
        var found: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(name, nil, &hints, &found)
        let number = errno
        defer { if let found { freeaddrinfo(found) } }
        guard status == 0 else {
            let words =
                status == EAI_SYSTEM
                ? String(cString: strerror(number)) : gai_strerror(status).map { String(cString: $0) } ?? "\(status)"
            return .failure(Failure(words, isTemporary: status != EAI_NONAME && status != Self.noAddress))
        }
        let addresses = sequence(first: found) { $0?.pointee.ai_next }.lazy.prefix { $0 != nil }
            .compactMap { $0.flatMap { Self.text(of: $0.pointee) } }
        let some = Array(addresses.prefix(Self.maximumAddresses))
        return some.isEmpty ? .failure(Failure("it has no address", isTemporary: false)) : .success(some)
    }

    /// Returns `nil` for an address that is valid on one network interface only.
    private static func text(of info: addrinfo) -> String? {
        var text = [CChar](repeating: 0, count: longest)
        let status = getnameinfo(
            info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        let address = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } } ?? ""
        if address.isEmpty || address.contains("%") { return nil }
        return info.ai_family == AF_INET6 ? "[\(address)]" : address
    }
}
