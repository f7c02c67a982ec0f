/// The names that a config gives to its sources and pipelines.
struct NodeNames {
    private var places: [String: SourceLocation] = [:]

    /// Takes in a name, and reports it where it is no name or is taken.
    mutating func declare(_ name: String, at location: SourceLocation, _ report: Report) {
        if let first = places[name] {
            report.add("'\(name)' is the name of a node already, at line \(first.line); choose another", at: location)
        }
        if name.isEmpty || !name.utf8.allSatisfy(Self.isAllowed) {
            report.add(
                "'\(name)' is no name for a node: letters, digits, '-', '_' and '.' are, such as api-down", at: location
            )
        }
        places[name] = places[name] ?? location
    }

    /// Whether the name belongs to what stands at a place, and to nothing above it.
    func isFirst(_ name: String, at location: SourceLocation) -> Bool {
        places[name] == location
    }

    /// Reports a reference to a name that nobody has.
    func check(_ reference: LocatedText, _ report: Report) {
        guard places[reference.text] == nil else { return }
        let known = places.keys.sorted()
        let near = Nearest.hint(for: reference.text, in: known)
        let there = known.isEmpty ? "; there are none" : "; there are \(known.joined(separator: ", "))"
        report.add(
            "there is no source or pipeline '\(reference.text)'\(near.isEmpty ? there : near)", at: reference.location)
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
