import RxDiagnostics

/// What can stand in a request, looked at when the config is read.
enum HTTPSyntax {
    /// What the name of a header field matches.
    static let token = #"^[A-Za-z0-9!#$%&'*+.^_`|~-]+$"#

    /// The methods that everybody knows.
    fileprivate static let methods = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT",
    ]

    /// What is wrong with an address; `nil` where nothing is.
    static func complaint(aboutURL url: String) -> String? {
        let subject = "'\(url)' is no URL"
        guard let scheme = ["http://", "https://"].first(where: url.lowercased().hasPrefix) else {
            return "\(subject): it begins with https:// or http://"
        }
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            return "\(subject): it has a space or a control character in it; write %20 for a space"
        }
        let authority = url.utf8.dropFirst(scheme.utf8.count).prefix { !"/?#".utf8.contains($0) }
        let host =
            authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
        return host.isEmpty || host.first == UInt8(ascii: ":") ? "\(subject): it names no server" : nil
    }

    /// Reports a name that no header field has.
    static func check(header name: String, at location: SourceLocation, _ report: Report) {
        if isToken(name) { return }
        report.add(
            "'\(name.shortened)' is no name of a header field: that is one word, such as Authorization", at: location)
    }

    /// What is wrong with the value of a header field; `nil` where nothing is.
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
    /// The method of a request. They are in capitals, and servers take them literally.
    static func httpMethod(example: String) -> Self {
        let text = string("a method", example: example, pattern: HTTPSyntax.token)
        return FieldType(text.expected, schema: text.schema) { node, context in
            guard let method = text.read(node, context) else { return nil }
            let isMisspelt = method != method.uppercased() && HTTPSyntax.methods.contains(method.uppercased())
            if HTTPSyntax.isToken(method), !isMisspelt { return method }
            let hint = Nearest.hint(for: method, in: HTTPSyntax.methods)
            context.report.add("\(node.described) is no method of HTTP, such as \(example)\(hint)", at: node.location)
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
