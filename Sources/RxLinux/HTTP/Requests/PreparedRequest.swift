import Glibc

/// A validated request with its secrets.
struct PreparedRequest: Sendable {
    /// The contents of files by their paths, or the errors of reading them.
    typealias Files = [String: Result<String, HTTPError>]

    /// The request.
    let request: HTTPRequest
    /// Header fields that are sent in addition to those of the request.
    let conditions: HTTPHeaders
    /// The secret of the request's authentication.
    let secret: String?
    /// The password of the private key of the client certificate.
    let keyPassword: String?
    /// The objects that the observer of the secrets returned, retained as long as the request.
    private let observations: [any AnyObject & Sendable]

    /// Validates `request` and reads the files with its secrets.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - conditions: header fields that are sent in addition to its own.
    ///   - files: the contents of files that were read before, or the errors of reading them.
    ///   - onSecret: called with each secret.
    /// - Throws: an ``HTTPError`` of the code `request` or `credential`.
    init(
        _ request: HTTPRequest, conditions: HTTPHeaders, files: Files = [:],
        onSecret: HTTPSecretObserver? = nil
    ) throws(HTTPError) {
        self.request = request
        self.conditions = conditions
        try Self.check(request)
        // libcurl would wait for the file system of a certificate, too. It reports all other errors by itself.
        for case .failure(let error) in files.values where error.code == .timeout { throw error }
        for path in request.tls.files { try Self.check(certificates: path) }
        let secrets = [request.authentication?.secret, request.tls.identity?.password]
        var contents: [String?] = []
        for secret in secrets {
            if let path = secret?.path, let known = files[path] {
                contents.append(try known.get())
            } else {
                contents.append(try secret?.read())
            }
        }
        for case let content? in contents where !content.isOneLine {
            throw HTTPError(.credential, "a secret has a line end or a NUL in it, which HTTP cannot carry")
        }
        (secret, keyPassword) = (contents[0], contents[1])
        let observed = zip(secrets, contents) + request.writtenSecrets.map { (.text($0), $0) }
        observations = observed.compactMap { secret, content in
            guard let onSecret, let secret, let content else { return nil }
            return onSecret(secret, content)
        }
    }

    /// Rejects a pipe, a device or a huge file, which libcurl's thread would block on when it opens or reads it.
    private static func check(certificates path: String) throws(HTTPError) {
        var status = stat()
        // libcurl reports a missing file.
        guard stat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw HTTPError(.credential, "'\(path)', which should have certificates or a key, is not a regular file")
        }
        guard status.st_size <= maximumCertificates else {
            throw HTTPError(
                .credential,
                "'\(path)', which should have certificates or a key, has more than \(maximumCertificates >> 20) MiB")
        }
    }

    /// The largest file of certificates, in bytes; that of all public authorities is a tenth of it.
    private static let maximumCertificates = 4 << 20

    private static func check(_ request: HTTPRequest) throws(HTTPError) {
        guard request.method.isToken else {
            throw HTTPError(.request, "'\(request.method.printable)' is not a method such as GET")
        }
        guard request.method != "HEAD" || request.body == nil else {
            throw HTTPError(.request, "a HEAD request has no body")
        }
        guard request.url.begins(with: "http://") || request.url.begins(with: "https://") else {
            throw HTTPError(.request, "a URL must begin with http:// or https://")
        }
        guard request.url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw HTTPError(
                .request, "the URL has a space or a control character in it: write a space as %20")
        }
        for field in request.headers {
            guard field.name.isToken else {
                throw HTTPError(.request, "'\(field.name.printable)' is not the name of a header field")
            }
            guard field.value.isOneLine else {
                throw HTTPError(.request, "the value of the header field \(field.name) has a line end or a NUL in it")
            }
        }
        for (name, text) in request.otherTexts where !text.isOneLine {
            throw HTTPError(.request, "\(name) has a line end or a NUL in it")
        }
    }
}

extension HTTPRequest {
    /// The files that are read for the request.
    var files: [String] {
        [authentication?.secret.path, tls.identity?.password?.path].compactMap(\.self) + tls.files
    }

    /// The texts that are passed to libcurl besides the URL, the method and the header fields.
    fileprivate var otherTexts: [(name: String, text: String)] {
        var texts = route.addresses.map { (name: "an address to connect to", text: $0) }
        if let socket = route.socket { texts.append(("the path of the socket", socket)) }
        if let interface = route.interface { texts.append(("the interface", interface)) }
        if let authorities = tls.authorities { texts.append(("the path of the authorities", authorities)) }
        if case .through(let proxy, let exceptions) = route.proxy {
            texts += ([proxy] + exceptions).map { ("the proxy", $0) }
        }
        if case .basic(let user, _) = authentication { texts.append(("the user", user)) }
        if let identity = tls.identity {
            texts += [identity.certificate, identity.key].map { ("the path of the certificate or its key", $0) }
        }
        return texts
    }
}

extension HTTPTLS {
    /// The files that libcurl reads for each connection.
    fileprivate var files: [String] { [authorities, identity?.certificate, identity?.key].compactMap(\.self) }
}

extension HTTPSecret {
    private static var maximum: Int { 64 << 10 }

    fileprivate var path: String? { if case .file(let path) = self { path } else { nil } }

    /// Reads the secret.
    func read() throws(HTTPError) -> String {
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
        // Opening a pipe or a device must not block the caller.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError.last(doing) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError.last(doing) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SystemError(EINVAL, "\(doing), which is not a regular file")
        }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            guard count >= 0 else { throw SystemError.last(doing) }
            bytes += block[..<count]
            guard bytes.count <= maximum else { throw SystemError(EFBIG, doing) }
            if count == 0 { break }
        }
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension String {
    /// Whether the text begins with these lower-case letters, in any case.
    func begins(with start: String) -> Bool {
        utf8.count >= start.utf8.count && zip(utf8, start.utf8).allSatisfy { $0.lowercased == $1 }
    }

    /// Whether the text is a token of HTTP.
    fileprivate var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0.lowercased)
                    || "!#$%&'*+-.^_`|~".utf8.contains($0)
            }
    }

    /// Whether the text contains no line end and no NUL.
    fileprivate var isOneLine: Bool {
        utf8.allSatisfy { $0 != 0x0A && $0 != 0x0D && $0 != 0 }
    }

    /// The text with a question mark in place of each control character.
    fileprivate var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
    }
}
