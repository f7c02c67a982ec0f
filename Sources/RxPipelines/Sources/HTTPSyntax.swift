import RxDiagnostics
import RxLinux

/// Checks the parts of a request when the configuration is read.
enum HTTPSyntax {
    /// The pattern of the name of a header field.
    static let token = #"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"#

    /// The standard methods, for hints.
    fileprivate static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
    ]

    /// The error in a URL; `nil` if it is valid.
    static func complaint(aboutURL url: String, _ report: Report) -> String? {
        let subject = "'\(shown(url, report))' is not a URL"
        guard let scheme = ["http://", "https://"].first(where: url.lowercased().hasPrefix) else {
            return "\(subject): it must begin with https:// or http://"
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            return "\(subject): it has a space or a control character in it; write %20 for a space"
        }
        let authority = url.utf8.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
        let host =
            authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
        if host.isEmpty || host.first == UInt8(ascii: ":") { return "\(subject): the server is missing" }
        guard let colon = host.lastIndex(of: UInt8(ascii: ":")), !host[colon...].contains(UInt8(ascii: "]")) else {
            return nil
        }
        let port = String(decoding: host[host.index(after: colon)...], as: UTF8.self)
        let isPort = port.isEmpty || (UInt16(port) ?? 0) > 0
        return isPort ? nil : "\(subject): the port is not a number from 1 to 65535"
    }

    /// The part of a URL that a message shows: the server only, since the rest may be secret.
    static func shown(_ url: String, _ report: Report) -> String {
        // Redacted first: the redaction would not recognize a part of a credential.
        HTTPRequest.server(of: report.secrets.redacted(url)).shortened
    }

    /// Reports an invalid name of a header field.
    static func check(header name: String, at location: SourceLocation, _ report: Report) {
        if HTTPHeaders.isCredential(name) { report.secrets.mayGrow = true }
        if isToken(name) { return }
        report.add(
            "'\(name.shortened)' is not the name of a header field: it must be one word, such as Authorization",
            at: location)
    }

    /// The error in the value of a header field; `nil` if it is valid.
    static func complaint(aboutHeader value: String) -> String? {
        let isOneLine = value.utf8.allSatisfy { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
        return isOneLine ? nil : "this has a line end or a NUL in it, which the value of a header field cannot have"
    }

    fileprivate static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+.^_`|~-".utf8.contains(byte)
                }
            }
    }
}

extension FieldType where Value == String {
    /// The method of a request. Methods are case-sensitive.
    static func httpMethod(example: String) -> Self {
        let text = string("a method", example: example, pattern: HTTPSyntax.token)
        return FieldType(text.expected, schema: text.schema) { node, context in
            guard let method = text.read(node, context) else { return nil }
            let isMisspelt = method != method.uppercased() && HTTPSyntax.methods.contains(method.uppercased())
            if HTTPSyntax.isToken(method), !isMisspelt { return method }
            let hint = NearestName.hint(for: method, in: HTTPSyntax.methods)
            context.report.add("\(node.described) is not an HTTP method such as \(example)\(hint)", at: node.location)
            return nil
        }
    }

    /// The value of a header field.
    static var httpHeaderValue: Self {
        FieldType(string.expected, schema: string.schema) { node, context in
            guard let value = string.read(node, context) else { return nil }
            guard let complaint = HTTPSyntax.complaint(aboutHeader: value) else { return value }
            context.report.add(complaint, at: node.location)
            return nil
        }
    }
}
