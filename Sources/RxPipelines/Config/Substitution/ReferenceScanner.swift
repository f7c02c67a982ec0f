import RxDiagnostics

/// Finds the references in a text: `${VAR}`, `${VAR:-default}`, `${VAR:?message}` and `${credential:NAME}`.
///
/// `$$` stands for a dollar sign. A dollar sign before any other character is literal, so that jq's variables are
/// unchanged.
struct ReferenceScanner {
    /// A part of a scalar: text, a reference, or an invalid one.
    enum Part {
        /// Literal text, by its offsets.
        case text(Range<Int>)
        /// A reference, with the offset of its dollar sign.
        case reference(Reference, Int)
        /// A message about an invalid reference, with the offset of its dollar sign.
        case wrong(String, Int)
    }

    /// A reference to a variable or a credential.
    enum Reference {
        case variable(String, Fallback)
        case credential(String)
    }

    /// The replacement of a variable that is not set.
    enum Fallback {
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

    /// The reference whose dollar sign is at an offset, and the offset of its end.
    private func reference(at dollar: Int, in range: Range<Int>) -> (Part, end: Int) {
        guard let close = closingBrace(of: dollar + 1, in: range) else {
            return (.wrong("this '${' has no '}'; if it is not a reference, write $${", dollar), range.upperBound)
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
        let text = string(inside)
        return (.wrong("'${\(text)}' is not one of \(forms); \(Self.advice(for: text))", dollar), close + 1)
    }

    /// The advice for a reference that is meant for a shell or another program.
    static func advice(for inside: String) -> String { "if a shell is to expand it, write $${\(inside.shortened)}" }

    private func credential(_ what: String, _ name: String, _ dollar: Int) -> Part {
        guard what == "credential" else {
            let near = NearestName.hint(for: what, in: ["credential"])
            let known = "; only ${credential:NAME} has a colon and a name; \(Self.advice(for: "\(what):\(name)"))"
            return .wrong("'${\(what):\(name)}' is not a reference\(near.isEmpty ? known : near)", dollar)
        }
        guard Credential.isName(name) else {
            return .wrong("'\(name)' is not the name of a credential, such as api-token", dollar)
        }
        return .reference(.credential(name), dollar)
    }

    /// The offset of the closing brace. Braces in between are paired, since a default may be a reference or JSON.
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
