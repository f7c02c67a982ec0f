import Glibc

/// A request that makes sense, with its secrets at hand.
struct PreparedRequest: Sendable {
    /// The request.
    let request: HTTPRequest
    /// Header fields that go with it besides its own.
    let conditions: HTTPHeaders
    /// The secret of its authentication.
    let secret: String?
    /// What its key is encrypted with.
    let keyPassword: String?

    /// Checks `request` and reads the files with its secrets.
    init(_ request: HTTPRequest, conditions: HTTPHeaders) throws(HTTPError) {
        self.request = request
        self.conditions = conditions
        try Self.check(request)
        switch request.authentication {
        case .basic(_, let password): secret = try password.read()
        case .bearer(let token): secret = try token.read()
        case nil: secret = nil
        }
        keyPassword = try request.tls.identity?.password?.read()
        for case let value? in [secret, keyPassword] where !value.isOneLine {
            throw HTTPError(.credential, "a secret has a line end or a NUL in it, which HTTP cannot carry")
        }
    }

    private static func check(_ request: HTTPRequest) throws(HTTPError) {
        guard request.method.isToken else {
            throw HTTPError(.request, "'\(request.method.printable)' is no method: it is a word such as GET")
        }
        guard request.method != "HEAD" || request.body == nil else {
            throw HTTPError(.request, "a HEAD request has no body")
        }
        guard request.url.begins(with: "http://") || request.url.begins(with: "https://") else {
            throw HTTPError(.request, "an address begins with http:// or https://")
        }
        guard request.url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw HTTPError(
                .request, "the address has a space or a control character in it: write a space as %20")
        }
        for field in request.headers {
            guard field.name.isToken else {
                throw HTTPError(.request, "'\(field.name.printable)' is no name of a header field")
            }
            guard field.value.isOneLine else {
                throw HTTPError(.request, "the value of the header field \(field.name) has a line end or a NUL in it")
            }
        }
        for text in request.otherTexts where !text.isOneLine {
            throw HTTPError(.request, "'\(text.printable)' has a line end or a NUL in it")
        }
    }
}

extension HTTPRequest {
    /// What goes to libcurl besides the address, the method and the header fields.
    fileprivate var otherTexts: [String] {
        var texts = route.addresses + [route.socket, route.interface, tls.authorities].compactMap { $0 }
        if case .through(let proxy, let exceptions) = route.proxy { texts += [proxy] + exceptions }
        if case .basic(let user, _) = authentication { texts.append(user) }
        if let identity = tls.identity { texts += [identity.certificate, identity.key] }
        return texts
    }
}

extension HTTPSecret {
    private static var most: Int { 64 << 10 }

    /// The secret.
    fileprivate func read() throws(HTTPError) -> String {
        switch self {
        case .text(let text): return text
        case .file(let path):
            do {
                return try Self.content(of: path)
            } catch {
                throw HTTPError(.credential, error.description)
            }
        }
    }

    private static func content(of path: String) throws(SystemError) -> String {
        let doing = "reading the secret in \(path)"
        // Neither a pipe nor a device may keep the caller waiting.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError.last(doing) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError.last(doing) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(EINVAL, "\(doing), which is no file") }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            guard count >= 0 else { throw SystemError.last(doing) }
            bytes += block[..<count]
            guard bytes.count <= most else { throw SystemError(EFBIG, doing) }
            if count == 0 { break }
        }
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// Whether it begins with these lower-case letters, in whatever case.
    func begins(with start: String) -> Bool {
        utf8.count >= start.utf8.count && zip(utf8, start.utf8).allSatisfy { $0.lowercased == $1 }
    }

    /// Whether it is what HTTP calls a token.
    fileprivate var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0.lowercased)
                    || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }

    /// Whether nothing in it ends a line, or a string of C.
    fileprivate var isOneLine: Bool {
        utf8.allSatisfy { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    }

    /// With a question mark for each control character.
    fileprivate var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
    }
}
