import CCurl
import Glibc
import RxEngine

extension HTTPError.Code {
    /// What kind of thing libcurl's `code` is. `hasConnected` tells what went wrong here from what came from there.
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
    /// Why it came to nothing.
    func error(_ code: CURLcode, _ timing: HTTPTiming) -> HTTPError {
        let (kind, message) = reason(code, timing)
        return HTTPError(kind, "\(prepared.request.target): \(message)", timing: timing)
    }

    private func reason(_ code: CURLcode, _ timing: HTTPTiming) -> (HTTPError.Code, String) {
        let limits = prepared.request.limits
        switch assembly.excess {
        case .header: return (.headerLimit, "the header has more than \(limits.header) bytes")
        case .body: return (.bodyLimit, "the body has more than \(limits.body) bytes")
        case nil: break
        }
        if isLateWithFirstByte {
            return (.timeout, "nothing came within \(limits.firstByte.map { "\($0)" } ?? "the time allowed")")
        }
        if openError == EMFILE || openError == ENFILE {
            return (.resources, "no descriptor is left for a connection: \(SystemError.words(openError))")
        }
        let (hasConnected, words) = (timing.firstByte > .zero || connected, words(code))
        var kind = HTTPError.Code(code, hasConnected: hasConnected)
        // It was there, and had been reset before anybody looked.
        if kind == .connect, systemError == ECONNRESET { kind = .reset }
        // libcurl has no room for lines that are longer.
        if kind == .resources, hasConnected { return (.headerLimit, "a line of the header has no end") }
        // A tunnel that the proxy refuses is told as something that could not be received.
        if kind == .reset, words.contains("CONNECT") { kind = .proxy }
        // And so is garbage where a chunk should begin.
        if kind == .reset, words.contains("hexadecimal") || words.contains("header") { kind = .protocol }
        if kind == .reset, isHandshakeUndone(timing) { kind = .tls }
        return (kind, words)
    }

    private func words(_ code: CURLcode) -> String {
        let words = errorText.isEmpty ? String(cString: curl_easy_strerror(code)) : errorText
        let number = openError != 0 ? openError : code == CURLE_COULDNT_CONNECT ? systemError : 0
        return number == 0 ? words : "\(words): \(SystemError.words(number))"
    }

    /// Whether a new connection broke before it was secured.
    private func isHandshakeUndone(_ timing: HTTPTiming) -> Bool {
        prepared.request.url.begins(with: "https:") && timing.connect > .zero && timing.tls == .zero
    }
}

extension SystemError {
    fileprivate static func words(_ number: Int32) -> String {
        String(cString: strerror(number))
    }
}
