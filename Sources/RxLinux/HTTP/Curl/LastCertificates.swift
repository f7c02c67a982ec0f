/// The latest certificate of each server, which is sent only when a connection is made.
struct LastCertificates {
    /// A server, by what decides which certificate it presents.
    private struct Server: Hashable {
        let origin: Substring
        let socket: String?
        let addresses: [String]
    }

    private static let maximum = 10_000
    private var known: [Server: HTTPCertificate] = [:]

    /// Adds the last known certificate to a `result` that has none.
    mutating func complete(
        _ result: Result<HTTPResponse, HTTPError>, of request: HTTPRequest
    ) -> Result<HTTPResponse, HTTPError> {
        switch result {
        case .success(let response):
            guard response.url.begins(with: "https:") else { return result }
            return .success(response.with(certificate: complete(response.certificate, response.url, request)))
        case .failure(let error):
            guard request.url.begins(with: "https:") else { return result }
            return .failure(error.with(certificate: complete(nil, request.url, request)))
        }
    }

    private mutating func complete(
        _ certificate: HTTPCertificate?, _ url: String, _ request: HTTPRequest
    ) -> HTTPCertificate? {
        let server = Server(
            origin: Self.origin(of: url), socket: request.route.socket, addresses: request.route.addresses)
        guard let certificate else { return known[server] }
        if known.count >= Self.maximum { known = [:] }
        known[server] = certificate
        return certificate
    }

    private static func origin(of url: String) -> Substring {
        let url = HTTPRequest.withoutUser(url)
        let host = url.utf8.dropFirst("https://".utf8.count)
        return url[..<(host.firstIndex { "/?#".utf8.contains($0) } ?? url.endIndex)]
    }
}

extension HTTPResponse {
    fileprivate func with(certificate: HTTPCertificate?) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: headers, body: body, url: url, version: version, address: address, timing: timing,
            certificate: certificate, retryAfter: retryAfter)
    }
}

extension HTTPError {
    fileprivate func with(certificate: HTTPCertificate?) -> HTTPError {
        HTTPError(code, message, timing: timing, certificate: certificate)
    }
}
