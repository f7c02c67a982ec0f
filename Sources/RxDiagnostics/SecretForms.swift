/// The texts in which secrets are searched for, each with its replacement.
struct SecretForms: Sendable {
    /// The length in bytes from which a text is searched for: shorter ones occur in other texts by chance.
    static let shortest = 4

    /// A text to search for, and its replacement.
    private struct Form {
        let text: [UInt8]
        let shown: [UInt8]
        /// Whether the character before it, or after it, also encodes a part of the secret.
        var edges = (before: false, after: false)
    }

    /// The texts by their first bytes, longest first, so that of two with the same beginning no part remains. The index
    /// finds a secret of many lines, such as a key, as quickly as one of one line.
    private var forms: [UInt32: [Form]] = [:]
    /// Whether a text to search for begins with a byte.
    private var isFirst = [Bool](repeating: false, count: 256)

    /// The length of the longest text to search for, in bytes.
    private(set) var longest = 0

    /// Whether there is nothing to search for.
    var isEmpty: Bool { forms.isEmpty }

    /// Whether a secret is not searched for. An empty one has nothing to hide.
    static func isTooShort(_ secret: String) -> Bool { (1..<shortest).contains(secret.utf8.count) }

    /// The length from which the base64 of a secret is also searched for in lower case.
    private static let shortestLowercasePart = 8

    /// Adds a secret, and each of its lines. A secret is found in lower case, too, since host names are shown so.
    mutating func insert(_ secret: String, shownAs text: String) {
        let lines = secret.split(whereSeparator: \.isNewline).map(String.init)
        let shown = Array(text.utf8)
        for text in [secret] + lines {
            let bytes = Array(text.utf8)
            insert(Form(text: bytes, shown: shown))
            insert(Form(text: Array(text.lowercased().utf8), shown: shown))
            guard bytes.count >= Self.shortest else { continue }
            for part in Base64Part.all(of: bytes) {
                insert(Form(text: part.text, shown: shown, edges: part.edges))
                guard part.text.count >= Self.shortestLowercasePart else { continue }
                let lowercase = Array(String(decoding: part.text, as: UTF8.self).lowercased().utf8)
                insert(Form(text: lowercase, shown: shown, edges: part.edges))
            }
        }
    }

    /// Adds others. A text that is in both keeps its replacement in this value.
    mutating func insert(_ others: SecretForms) {
        for form in others.forms.values.joined() { insert(form) }
    }

    private mutating func insert(_ form: Form) {
        guard let start = Self.start(of: form.text) else { return }
        let others = forms[start] ?? []
        let place = others.firstIndex { $0.text.count <= form.text.count } ?? others.count
        if others[place...].contains(where: { $0.text == form.text }) { return }
        forms[start, default: []].insert(form, at: place)
        isFirst[Int(form.text[0])] = true
        longest = max(longest, form.text.count)
    }

    /// The first bytes as a number; `nil` if there are too few.
    private static func start(of text: [UInt8], at index: Int = 0) -> UInt32? {
        guard text.count - index >= shortest else { return nil }
        return text[index..<index + shortest].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The matches from the beginning to the end, without overlaps.
    ///
    /// - Parameter isCut: whether the bytes are the beginning of others: they may end within a match then, of which
    ///   they have at least the first `shortest` bytes.
    func matches(in bytes: [UInt8], isCut: Bool = false) -> [(range: Range<Int>, shown: [UInt8])] {
        var found: [(range: Range<Int>, shown: [UInt8])] = []
        var index = 0
        while let start = Self.start(of: bytes, at: index) {
            guard isFirst[Int(bytes[index])],
                let form = forms[start]?.first(where: { form in
                    let rest = bytes[index...]
                    return rest.count >= form.text.count
                        ? rest.starts(with: form.text) : isCut && form.text.starts(with: rest)
                })
            else {
                index += 1
                continue
            }
            let end = min(index + form.text.count, bytes.count)
            let hidesBefore = form.edges.before && index > 0 && bytes[index - 1].isBase64
            let hidesAfter = form.edges.after && end < bytes.count && bytes[end].isBase64
            found.append(((hidesBefore ? index - 1 : index)..<(hidesAfter ? end + 1 : end), form.shown))
            index = end
        }
        return found
    }
}
