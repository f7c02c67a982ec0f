/// Parses and formats durations as systemd does: `10s`, `1min 30s`, `250ms`, `1.5h`, and `5` for five seconds.
///
/// As in systemd.time(7), `m` is a minute, `M` is a month of 30.44 days and a year has 365.25 days. Fractions of a
/// microsecond are cut off.
package enum SystemdDuration {
    /// Why a text is not a duration, with an example of one.
    package struct Failure: Error, Sendable, Hashable {
        /// The message, which quotes the text.
        package let message: String

        init(_ text: String, _ reason: String) {
            message = "'\(text)' is not a duration: \(reason); write for example 10s, 1min 30s or 250ms"
        }
    }

    /// Parses a duration that is not negative and not infinite.
    package static func parse(_ text: String) throws(Failure) -> Duration {
        var rest = Substring(text)
        var total: Int64 = 0
        rest.trimSpace()
        if rest.isEmpty { throw Failure(text, "it is empty") }
        while !rest.isEmpty {
            let whole = rest.take(while: \.isDecimalDigit)
            var fraction: Substring = ""
            if rest.first == "." {
                rest.removeFirst()
                fraction = rest.take(while: \.isDecimalDigit)
                if fraction.isEmpty { throw Failure(text, "a digit must follow the point") }
            }
            if whole.isEmpty, fraction.isEmpty { throw Failure(text, reasonForNoNumber(at: rest)) }
            rest.trimSpace()
            let name = rest.take(while: { !$0.isDecimalDigit && $0 != "." && $0 != "-" && !$0.isASCIISpace })
            guard let unit = name.isEmpty ? units["s"] : units[String(name)] else {
                throw Failure(text, "'\(name)' is not a unit\(NearestName.hint(for: String(name), in: unitNames))")
            }
            guard let part = microseconds(whole: whole, fraction: fraction, unit: unit) else {
                throw Failure(text, "it is too long")
            }
            let (sum, overflow) = total.addingReportingOverflow(part)
            if overflow { throw Failure(text, "it is too long") }
            total = sum
            rest.trimSpace()
        }
        return .microseconds(total)
    }

    private static func reasonForNoNumber(at rest: Substring) -> String {
        if rest.first == "-" { return "it cannot be negative" }
        if rest == "infinity" { return "it must end" }
        return "a number must stand before '\(rest)'"
    }

    private static func microseconds(whole: Substring, fraction: Substring, unit: Int64) -> Int64? {
        guard let count = whole.isEmpty ? 0 : Int64(whole) else { return nil }
        let (product, overflow) = count.multipliedReportingOverflow(by: unit)
        if overflow { return nil }
        var part: Int64 = 0
        var weight = unit
        for digit in fraction {
            weight /= 10
            part += weight * Int64(digit.wholeNumberValue ?? 0)
        }
        let (sum, tooLong) = product.addingReportingOverflow(part)
        return tooLong ? nil : sum
    }

    /// All unit names, ordered so that no name precedes one that it is a prefix of.
    package static var allUnitNames: [String] {
        units.keys.sorted { ($0.unicodeScalars.count, $1) > ($1.unicodeScalars.count, $0) }
    }

    private static let unitNames = ["us", "ms", "s", "sec", "second", "m", "min", "minute", "h", "hour", "d", "day"]

    /// The microseconds of each unit.
    private static let units: [String: Int64] = {
        let table: [(names: [String], microseconds: Int64)] = [
            (["us", "usec", "µs", "μs"], 1),
            (["ms", "msec"], 1_000),
            (["s", "sec", "second", "seconds"], 1_000_000),
            (["m", "min", "minute", "minutes"], 60_000_000),
            (["h", "hr", "hour", "hours"], 3_600_000_000),
            (["d", "day", "days"], 86_400_000_000),
            (["w", "week", "weeks"], 604_800_000_000),
            (["M", "month", "months"], 2_629_800_000_000),
            (["y", "year", "years"], 31_557_600_000_000),
        ]
        return Dictionary(uniqueKeysWithValues: table.flatMap { row in row.names.map { ($0, row.microseconds) } })
    }()
}

extension Character {
    fileprivate var isDecimalDigit: Bool { isASCII && isWholeNumber }
    fileprivate var isASCIISpace: Bool { self == " " || self == "\t" || self.isNewline }
}

extension Substring {
    fileprivate mutating func take(while predicate: (Character) -> Bool) -> Substring {
        let taken = prefix(while: predicate)
        self = self[taken.endIndex...]
        return taken
    }

    fileprivate mutating func trimSpace() {
        self = drop(while: \.isASCIISpace)
    }
}
