import CCurl
import Glibc
import RxEngine

extension HTTPError.Code {
    /// Converts libcurl's `code`. `hasConnected` distinguishes errors of this side from those of the server.
    init(_ code: CURLcode, hasConnected: Bool) {
        switch code {
        case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT, CURLE_UNKNOWN_OPTION, CURLE_NOT_BUILT_IN: self = .request
        case CURLE_UNSUPPORTED_PROTOCOL: self = hasConnected ? .protocol : .request
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .resolve
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: self = .connect
        case CURLE_PROXY: self = .proxy
        case CURLE_OPERATION_TIMEDOUT: self = .timeout
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED:
            self = .tls
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS:
            self = .certificate
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_SEND_FAIL_REWIND: self = .reset
        case CURLE_PARTIAL_FILE: self = .truncated
        case CURLE_TOO_MANY_REDIRECTS: self = .redirects
        case CURLE_FILESIZE_EXCEEDED: self = .bodyLimit
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: self = .resources
        default: self = .protocol
        }
    }
}

extension Transfer {
    /// The error of a transfer that libcurl ended.
    func error(_ code: CURLcode, _ timing: HTTPTiming) -> HTTPError {
        let (kind, message) = reason(code, timing)
        return HTTPError(kind, "\(prepared.request): \(message)", timing: timing)
    }

    /// The error of a failed name lookup.
    func error(_ failure: HostName.Failure) -> HTTPError {
        let name = nextName.map { "the address of \($0.host.name)" } ?? "an address"
        return HTTPError(
            .resolve, "\(prepared.request): cannot find \(name): \(failure.words)", timing: timingSoFar)
    }

    /// The error of a timeout before there was a connection.
    var timeoutError: HTTPError {
        let limits = prepared.request.limits
        let message =
            phase == .queued
            ? "no free connection within \(limits.total): too many concurrent requests"
            : "no address was found within \(min(limits.total, limits.connect))"
        return HTTPError(.timeout, "\(prepared.request): \(message)", timing: timingSoFar)
    }

    private var timeoutMessage: String {
        let limits = prepared.request.limits
        if !connected { return "no connection within \(limits.total)" }
        return assembly.hasBegun
            ? "the response was not complete within \(limits.total)" : "no response within \(limits.total)"
    }

    private func reason(_ code: CURLcode, _ timing: HTTPTiming) -> (HTTPError.Code, String) {
        let limits = prepared.request.limits
        switch assembly.excess {
        case .header: return (.headerLimit, "the header has more than \(limits.header) bytes")
        case .fields:
            return (.headerLimit, "the header has more than \(ResponseAssembly.maximumFields) fields")
        case .body: return (.bodyLimit, "the body has more than \(limits.body) bytes")
        case nil: break
        }
        switch abort {
        case .outOfMemory:
            return (.resources, "there is no memory for the response: others use all of it now; lower maxBody")
        case .timedOut: return (.timeout, timeoutMessage)
        case nil: break
        }
        if openError == EMFILE || openError == ENFILE {
            return (.resources, "no file descriptor is left for a connection: \(SystemError.words(openError))")
        }
        let (hasConnected, words) = (timing.firstByte > .zero || connected, words(code))
        var kind = HTTPError.Code(code, hasConnected: hasConnected)
        // The connection was made, and reset before libcurl noticed that.
        if kind == .connect, systemError == ECONNRESET { kind = .reset }
        // libcurl cannot store a line that is longer.
        if kind == .resources, hasConnected { return (.headerLimit, "a line of the header has no end") }
        // libcurl reports a tunnel that the proxy refuses as a failure to receive.
        if kind == .reset, words.contains("CONNECT") { kind = .proxy }
        // It reports garbage at the start of a chunk in the same way.
        if kind == .reset, words.contains("hexadecimal") || words.contains("header") { kind = .protocol }
        if kind == .reset, isHandshakeFailure(timing) { kind = .tls }
        return (kind, words)
    }

    private func words(_ code: CURLcode) -> String {
        let errorText = Self.withoutAddress(self.errorText)
        let general = String(cString: curl_easy_strerror(code))
        let number = openError != 0 ? openError : code == CURLE_COULDNT_CONNECT ? systemError : 0
        if number == 0 { return errorText.isEmpty ? general : errorText }
        let reason = SystemError.words(number)
        if let address = Self.address(in: errorText) { return "cannot connect to \(address): \(reason)" }
        // The text of libcurl for the code says less than that of the system.
        let words = errorText.hasSuffix(": \(general)") ? String(errorText.dropLast(general.count + 2)) : errorText
        return "\(words.isEmpty ? general : words): \(reason)"
    }

    /// The address in libcurl's "Failed to connect to HOST port PORT after 0 ms: Could not connect to server", which says
    /// the same three times when the system's reason follows; `nil` for any other text.
    private static func address(in text: String) -> String? {
        let start = "Failed to connect to "
        guard text.hasPrefix(start), let end = text.ranges(of: " after ").last else { return nil }
        let address = text[..<end.lowerBound].dropFirst(start.count)
        return address.isEmpty ? nil : String(address)
    }

    /// The message without the address that libcurl quotes for a proxy that it cannot use: the password is in it.
    private static func withoutAddress(_ text: String) -> String {
        guard text.contains("://"), let start = text.firstIndex(of: "'"), let end = text.lastIndex(of: "'") else {
            return text
        }
        return text[..<start] + "its address" + text[end...].dropFirst()
    }

    /// Whether a new connection broke during the TLS handshake.
    private func isHandshakeFailure(_ timing: HTTPTiming) -> Bool {
        hop.url.begins(with: "https:") && timing.connect > .zero && timing.tls == .zero
    }
}

extension HTTPError {
    /// Returns the error with the request, and with the timing and certificate of the response that caused it.
    func of(_ request: HTTPRequest, _ response: HTTPResponse) -> HTTPError {
        HTTPError(code, "\(request): \(message)", timing: response.timing, certificate: response.certificate)
    }
}

extension SystemError {
    fileprivate static func words(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
