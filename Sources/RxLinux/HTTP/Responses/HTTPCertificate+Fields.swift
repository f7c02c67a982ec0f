import FoundationEssentials

extension HTTPCertificate {
    /// Parses the first of these certificates, each a list of `name:value`; `nil` if a field is missing or malformed.
    init?(chain: [[String]]) {
        let chain = chain.map(Self.fields)
        guard let first = chain.first, let subject = first["Subject"],
            let expires = first["Expire date"].flatMap(HTTPDate.seconds)
        else { return nil }
        let ends = chain.compactMap { $0["Expire date"].flatMap(HTTPDate.seconds) }
        self.init(
            subject: subject, issuer: first["Issuer"] ?? "",
            expires: Date(timeIntervalSince1970: Double(expires)),
            chainExpires: Date(timeIntervalSince1970: Double(ends.min() ?? expires)))
    }

    private static func fields(of lines: [String]) -> [String: String] {
        var fields: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[String(line[..<colon])] = String(line[line.index(after: colon)...])
        }
        return fields
    }
}
