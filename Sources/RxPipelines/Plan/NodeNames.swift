import RxDiagnostics

/// The names that a configuration gives to its sources and pipelines.
struct NodeNames {
    /// The pattern of a name.
    static let pattern = "^(?!\(InputNodes.failures)$)\(characters)$"
    /// The pattern of a pipeline's `from:`: a name, or ``Inputs/failures``.
    static let originPattern = "^\(characters)$"
    private static let characters = "[A-Za-z0-9_.-]{1,\(maximumLength)}"

    /// The longest valid name, in bytes. Longer ones are never looked up.
    static let maximumLength = 255
    /// The number of names that a message lists.
    private static let shown = 20

    private var places: [String: SourceLocation] = [:]
    /// The sorted names; `nil` until an unknown name is looked up.
    private var sorted: [String]?
    /// The number of searches for similar names, for tests.
    private(set) var searches = 0

    /// Declares a name, and reports one that is invalid or already in use.
    mutating func declare(_ name: String, at location: SourceLocation, _ report: Report) {
        guard name.utf8.count <= Self.maximumLength else {
            let length = name.utf8.count
            report.add(
                "the name '\(name.shortened)' has \(length) characters; up to \(Self.maximumLength) are allowed",
                at: location)
            return
        }
        if let first = places[name] {
            report.add(
                "'\(name)' is already the name of a source or pipeline, at line \(first.line); choose another",
                at: location)
        }
        if name.isEmpty || !name.utf8.allSatisfy(Self.isAllowed) {
            report.add(
                "'\(name.shortened)' is not a valid name: use letters, digits, '-', '_' and '.', as in api-down",
                at: location)
        }
        if name == InputNodes.failures {
            report.add(
                "'\(name)' cannot be the name of a source or pipeline: 'from: \(name)' stands for the failed "
                    + "events of other pipelines",
                at: location)
        }
        places[name] = places[name] ?? location
        sorted = nil
    }

    /// Whether the first declaration of the name is at this location.
    func isFirst(_ name: String, at location: SourceLocation) -> Bool {
        places[name] == location
    }

    /// Reports a reference to an unknown name.
    mutating func check(_ reference: LocatedText, _ report: Report) {
        let name = reference.text
        guard name.utf8.count > Self.maximumLength || places[name] == nil else { return }
        // The search for a hint is slow, and a full report needs no more of them.
        let hint = report.isFull ? "" : hint(for: name)
        report.add("there is no source or pipeline '\(name.shortened)'\(hint)", at: reference.location)
    }

    private mutating func hint(for name: String) -> String {
        let known = sorted ?? places.keys.sorted()
        sorted = known
        searches += 1
        let near = NearestName.hint(for: name, in: known)
        guard near.isEmpty else { return near }
        let rest = known.count - Self.shown
        let more = rest > 0 ? " and \(rest) more" : ""
        return known.isEmpty
            ? "; there are none" : "; there are \(known.prefix(Self.shown).joined(separator: ", "))\(more)"
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
