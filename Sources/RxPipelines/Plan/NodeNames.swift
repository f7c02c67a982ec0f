import RxDiagnostics

/// The names that a config gives to its sources and pipelines.
struct NodeNames {
    /// What a name matches.
    static let pattern = "^(?!\(Inputs.failures)$)\(characters)$"
    /// What stands under a pipeline's `from:` matches: a name, or ``Inputs/failures``.
    static let originPattern = "^\(characters)$"
    private static let characters = "[A-Za-z0-9_.-]{1,\(maximumLength)}"

    /// Longer ones are no names, and nobody looks for them.
    static let maximumLength = 255
    /// How many names a message lists.
    private static let shown = 20

    private var places: [String: SourceLocation] = [:]
    /// The names in order, once somebody has asked for one that is not there.
    private var sorted: [String]?
    /// How often a name was looked for among all others.
    private(set) var searches = 0

    /// Takes in a name, and reports it where it is no name or is taken.
    mutating func declare(_ name: String, at location: SourceLocation, _ report: Report) {
        guard name.utf8.count <= Self.maximumLength else {
            let length = name.utf8.count
            report.add(
                "the name '\(name.shortened)' has \(length) characters; up to \(Self.maximumLength) are allowed",
                at: location)
            return
        }
        if let first = places[name] {
            report.add("'\(name)' is the name of a node already, at line \(first.line); choose another", at: location)
        }
        if name.isEmpty || !name.utf8.allSatisfy(Self.isAllowed) {
            report.add(
                "'\(name.shortened)' is no name for a node: letters, digits, '-', '_' and '.' are, such as api-down",
                at: location)
        }
        if name == Inputs.failures {
            report.add(
                "'\(name)' cannot be a node's name: 'from: \(name)' stands for the failed events of other pipelines",
                at: location)
        }
        places[name] = places[name] ?? location
        sorted = nil
    }

    /// Whether the name belongs to what stands at a place, and to nothing above it.
    func isFirst(_ name: String, at location: SourceLocation) -> Bool {
        places[name] == location
    }

    /// Reports a reference to a name that nobody has.
    mutating func check(_ reference: LocatedText, _ report: Report) {
        let name = reference.text
        guard name.utf8.count > Self.maximumLength || places[name] == nil else { return }
        // Nobody reads the hundredth mistake for its hint.
        let hint = report.isFull ? "" : hint(for: name)
        report.add("there is no source or pipeline '\(name.shortened)'\(hint)", at: reference.location)
    }

    private mutating func hint(for name: String) -> String {
        let known = sorted ?? places.keys.sorted()
        sorted = known
        searches += 1
        let near = Nearest.hint(for: name, in: known)
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
