/// One request of a chain of redirects.
struct HTTPHop: Sendable, Equatable {
    /// The URL.
    let url: String
    /// The method.
    let method: String
    /// The body; `nil` for none.
    let body: [UInt8]?
    /// Whether the hop goes to the server of the first request.
    ///
    /// Other servers do not receive the header fields of the request, its secrets and its client certificate. A server
    /// does not receive them again after a redirect to another.
    let isOwn: Bool
    /// The number of redirects before the hop.
    let number: Int

    /// Creates the first hop.
    init(_ request: HTTPRequest) {
        self.init(url: request.url, method: request.method, body: request.body, isOwn: true, number: 0)
    }

    private init(url: String, method: String, body: [UInt8]?, isOwn: Bool, number: Int) {
        self.url = url
        self.method = method
        self.body = body
        self.isOwn = isOwn
        self.number = number
    }

    /// Returns the next hop if `response` redirects; `nil` if it does not, or redirects are not followed.
    ///
    /// | status | method | body |
    /// |---|---|---|
    /// | 301, 302, 307, 308 | the same | the same, and to no other server |
    /// | 303 | GET, or HEAD as before | none |
    func next(_ response: HTTPResponse, maximum: Int) -> Result<HTTPHop, HTTPError>? {
        guard maximum > 0, [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers["Location"], !location.isEmpty
        else { return nil }
        func refused(_ code: HTTPError.Code, _ message: String) -> Result<HTTPHop, HTTPError> {
            .failure(HTTPError(code, message))
        }
        guard number < maximum else { return refused(.redirects, "more than \(maximum) redirects") }
        guard let here = CurlURL(url), let there = CurlURL(location, from: url) else {
            return refused(.request, "the server redirects to an invalid URL")
        }
        guard ["http", "https"].contains(there.scheme) else {
            // A longer one is not quoted: nothing would recognize a part of a secret.
            let kind = there.scheme.utf8.count > 20 ? "an unknown kind" : "the kind '\(there.scheme)'"
            return refused(.protocol, "the server redirects to a URL of \(kind)")
        }
        let server = HTTPRequest.server(of: there.text)
        guard here.scheme == "http" || there.scheme == "https" else {
            return refused(
                .redirects,
                "the server redirects from https to \(server), which is not followed: anyone on the way could "
                    + "read and change what is sent there")
        }
        let isSame = there.isServer(of: here)
        let becomesGet = response.status == 303 && method != "HEAD"
        guard isSame || becomesGet || body == nil else {
            return refused(
                .redirects,
                "the server redirects to \(server), which does not get the body: use that URL "
                    + "if it should")
        }
        let isOwn = isOwn && isSame
        return .success(
            HTTPHop(
                url: isOwn ? there.text(withUserOf: here) : there.text, method: becomesGet ? "GET" : method,
                body: becomesGet ? nil : body, isOwn: isOwn, number: number + 1))
    }
}
