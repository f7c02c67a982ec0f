import CCurl
import Glibc

/// Parses the header `Retry-After`.
enum RetryAfter {
    /// The duration of the header, in seconds or as a date; `nil` if it is missing or malformed.
    ///
    /// A date is compared with the response's `Date`, so that the server's clock may differ from ours.
    static func span(in headers: HTTPHeaders, now: Int = time(nil)) -> Duration? {
        guard let text = headers["Retry-After"] else { return nil }
        if let first = text.utf8.first, (0x30...0x39).contains(first) {
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return .seconds(Int64(text) ?? .max)
        }
        guard let date = HTTPDate.seconds(text) else { return nil }
        let start = headers["Date"].flatMap(HTTPDate.seconds) ?? now
        return .seconds(max(0, date - start))
    }
}

/// Parses the dates of servers and certificates.
enum HTTPDate {
    /// Returns the seconds from 1970 to the date in `text`.
    static func seconds(_ text: String) -> Int? {
        // curl takes a text that does not begin with a day or a month for a number, or for a part of a date.
        guard let first = text.utf8.first, (0x61...0x7A).contains(first.lowercased), !text.utf8.contains(0) else {
            return nil
        }
        let seconds = curl_getdate(text, nil)
        return seconds == -1 ? nil : seconds
    }
}
