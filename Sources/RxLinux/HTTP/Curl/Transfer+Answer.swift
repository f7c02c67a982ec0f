import CCurl
import RxEngine

extension Transfer {
    /// The result of the transfer, which libcurl ended with `code`.
    func result(_ handle: UnsafeMutableRawPointer, _ code: CURLcode) -> Result<HTTPResponse, HTTPError> {
        let info = CurlInfo(handle)
        connected = info.number(CURLINFO_NUM_CONNECTS) > 0 || info.span(CURLINFO_PRETRANSFER_TIME_T) > .zero
        systemError = Int32(truncatingIfNeeded: info.number(CURLINFO_OS_ERRNO))
        let timing = timing(info)
        // The status is known if only that matters, even if the transfer failed later.
        let isKnown =
            !prepared.request.needsBody && !assembly.isInHeader
            && prepared.request.expect.contains(info.number(CURLINFO_RESPONSE_CODE))
        guard code == CURLE_OK || isKnown else { return .failure(error(code, timing)) }
        // libcurl takes a truncated header for a complete one.
        guard !assembly.isInHeader else { return .failure(error(CURLE_PARTIAL_FILE, timing)) }
        let response = HTTPResponse(
            status: info.number(CURLINFO_RESPONSE_CODE), headers: assembly.headers, body: assembly.body,
            url: HTTPRequest.withoutUser(info.text(CURLINFO_EFFECTIVE_URL)),
            // For a unix socket it would be a part of the path.
            version: info.version, address: prepared.request.route.socket == nil ? info.text(CURLINFO_PRIMARY_IP) : "",
            timing: timing,
            certificate: info.certificate, retryAfter: RetryAfter.span(in: assembly.headers))
        return .success(response)
    }

    private func timing(_ info: CurlInfo) -> HTTPTiming {
        let dns = info.span(CURLINFO_NAMELOOKUP_TIME_T)
        let connect = info.span(CURLINFO_CONNECT_TIME_T)
        let tls = info.span(CURLINFO_APPCONNECT_TIME_T)
        // A reused connection took no time, although libcurl records some microseconds.
        let isNew = info.number(CURLINFO_NUM_CONNECTS) > 0
        let before = earlierTiming.total + lookup
        return HTTPTiming(
            waited: waited,
            dns: earlierTiming.dns + lookup + (isNew || connect == .zero ? dns : .zero),
            connect: earlierTiming.connect + (isNew ? max(.zero, connect - dns) : .zero),
            tls: earlierTiming.tls + (isNew && tls > .zero ? max(.zero, tls - connect) : .zero),
            firstByte: before + info.span(CURLINFO_STARTTRANSFER_TIME_T),
            total: before + info.span(CURLINFO_TOTAL_TIME_T))
    }
}

/// The information that libcurl has about a transfer that has ended.
struct CurlInfo {
    private let handle: UnsafeMutableRawPointer

    init(_ handle: UnsafeMutableRawPointer) {
        self.handle = handle
    }

    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return rx_curl_get_long(handle, info, &value) == CURLE_OK ? value : 0
    }

    func span(_ info: CURLINFO) -> Duration {
        var value: curl_off_t = 0
        return rx_curl_get_offset(handle, info, &value) == CURLE_OK ? .microseconds(Int64(value)) : .zero
    }

    func text(_ info: CURLINFO) -> String {
        var value: UnsafePointer<CChar>?
        guard rx_curl_get_string(handle, info, &value) == CURLE_OK, let value else { return "" }
        return String(cString: value)
    }

    var version: String {
        switch number(CURLINFO_HTTP_VERSION) {
        case Int(CURL_HTTP_VERSION_1_0): "1.0"
        case rx_curl_http_1_1: "1.1"
        default: "2"
        }
    }

    /// The server's certificate, if there was a handshake.
    var certificate: HTTPCertificate? {
        var value: UnsafeMutablePointer<curl_certinfo>?
        guard rx_curl_get_certificates(handle, &value) == CURLE_OK, let value = value?.pointee, value.num_of_certs > 0,
            let certificates = value.certinfo
        else { return nil }
        let chain = (0..<Int(value.num_of_certs)).map { number in
            sequence(first: certificates[number]) { $0?.pointee.next }.lazy.prefix { $0 != nil }
                .compactMap { $0?.pointee.data.map { String(cString: $0) } }
        }
        return HTTPCertificate(chain: chain.map(Array.init))
    }
}
