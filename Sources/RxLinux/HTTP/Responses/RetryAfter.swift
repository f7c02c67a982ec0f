import CCurl
import Glibc

/// How long a server asks to be left alone.
enum RetryAfter {
    /// What the header says, in seconds or as a date; `nil` where it says nothing that makes sense.
    ///
    /// A date is measured from the one that the server sends along, so that its clock need not be ours.
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

/// Dates as servers and certificates write them.
enum HTTPDate {
    /// The seconds from 1970 to the date that `text` says.
    static func seconds(_ text: String) -> Int? {
        // What does not begin with a day or a month is a number to curl, or a part of a date.
        guard let first = text.utf8.first, (0x61...0x7A).contains(first.lowercased), !text.utf8.contains(0) else {
            return nil
        }
        let seconds = curl_getdate(text, nil)
        return seconds == -1 ? nil : seconds
    }
}
