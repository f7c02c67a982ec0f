extension String {
    /// The text, cut to the length of a message.
    package var shortened: String {
        utf8.count <= 60 || count <= 60 ? self : "\(prefix(60))…"
    }
}

extension Diagnostic {
    /// The most characters of a message: it may quote a text of any length. Its end is kept, because the advice is
    /// there.
    private static let longest = 2_000

    /// The same diagnostic with a message that is cut to a readable length.
    var shortened: Diagnostic {
        guard message.utf8.count > Self.longest, message.count > Self.longest else { return self }
        let half = Self.longest / 2
        return Diagnostic("\(message.prefix(half)) … \(message.suffix(half))", at: location)
    }
}
