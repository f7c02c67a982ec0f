import RxDiagnostics

/// Finds the references in a text: `${VAR}`, `${VAR:-default}`, `${VAR:?message}` and `${credential:NAME}`.
///
/// `$$` is a dollar, and a dollar before anything else is one, too: jq's variables are left alone.
struct ReferenceScanner {
    enum Part {
        /// What stands for itself, by its offsets.
        case text(Range<Int>)
        /// A reference, and where its dollar is.
        case reference(Reference, Int)
        /// What begins as a reference and is none.
        case wrong(String, Int)
    }

    enum Reference {
        case variable(String, Otherwise)
        case credential(String)
    }

    /// What there is for a variable that is not set.
    enum Otherwise {
        case nothing
        case text(Range<Int>)
        case failure(String)
    }

    private let scalars: [Unicode.Scalar]

    init(_ text: LocatedText) {
        scalars = Array(text.text.unicodeScalars)
    }

    func parts() -> [Part] { parts(in: 0..<scalars.count) }

    func parts(in range: Range<Int>) -> [Part] {
        var parts: [Part] = []
        var start = range.lowerBound
        var index = range.lowerBound
        while index + 1 < range.upperBound {
            guard scalars[index] == "$" else {
                index += 1
                continue
            }
            switch scalars[index + 1] {
            case "$":
                parts.append(.text(start..<index + 1))
                index += 2
                start = index
            case "{":
                if start < index { parts.append(.text(start..<index)) }
                let (part, end) = reference(at: index, in: range)
                parts.append(part)
                index = end
                start = end
            default: index += 1
            }
        }
        if start < range.upperBound { parts.append(.text(start..<range.upperBound)) }
        return parts
    }

    /// The reference whose dollar is at an offset, and where it ends.
    private func reference(at dollar: Int, in range: Range<Int>) -> (Part, end: Int) {
        guard let close = closingBrace(of: dollar + 1, in: range) else {
            return (.wrong("this '${' has no '}'; write $${ for the two characters", dollar), range.upperBound)
        }
        let inside = dollar + 2..<close
        let name = inside.prefix { scalars[$0].isNamePart }
        let rest = name.endIndex..<close
        func result(_ reference: Reference) -> (Part, end: Int) { (.reference(reference, dollar), close + 1) }
        let after = string(rest.prefix(2))
        if !name.isEmpty, !scalars[name.startIndex].isDigit {
            let name = string(name)
            if rest.isEmpty { return result(.variable(name, .nothing)) }
            if after == ":-" { return result(.variable(name, .text(rest.dropFirst(2)))) }
            if after == ":?" { return result(.variable(name, .failure(string(rest.dropFirst(2))))) }
            if after.first == ":" { return (credential(name, string(rest.dropFirst()), dollar), close + 1) }
        }
        let forms = "${NAME}, ${NAME:-default}, ${NAME:?message} or ${credential:NAME}"
        return (
            .wrong("'${\(string(inside))}' is none of \(forms); write $${ for the two characters", dollar), close + 1
        )
    }

    private func credential(_ what: String, _ name: String, _ dollar: Int) -> Part {
        guard what == "credential" else {
            let near = Nearest.hint(for: what, in: ["credential"])
            let known = "; only ${credential:NAME} is written with a colon and a name"
            return .wrong("there is no '\(what)' to take '\(name)' from\(near.isEmpty ? known : near)", dollar)
        }
        guard Credential.isName(name) else {
            return .wrong("'\(name)' is no name of a credential, such as api-token", dollar)
        }
        return .reference(.credential(name), dollar)
    }

    /// Braces in between come in pairs: a default may be a reference, or JSON.
    private func closingBrace(of open: Int, in range: Range<Int>) -> Int? {
        var depth = 0
        for index in open..<range.upperBound {
            if scalars[index] == "{" { depth += 1 }
            if scalars[index] == "}" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private func string(_ offsets: some Sequence<Int>) -> String {
        var view = String.UnicodeScalarView()
        for offset in offsets { view.append(scalars[offset]) }
        return String(view)
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

    fileprivate var isNamePart: Bool {
        isDigit || self == "_" || ("a"..."z").contains(self) || ("A"..."Z").contains(self)
    }
}
