extension String {
    /// The text as a message shows it: what is long is cut.
    package var shortened: String {
        utf8.count <= 60 || count <= 60 ? self : "\(prefix(60))…"
    }
}

extension Diagnostic {
    /// The most characters of a message. What is wrong may hold a text of any length; the advice comes at the end.
    private static let longest = 2_000

    /// The same, with a message that can be read.
    var shortened: Diagnostic {
        guard message.utf8.count > Self.longest, message.count > Self.longest else { return self }
        let half = Self.longest / 2
        return Diagnostic("\(message.prefix(half)) … \(message.suffix(half))", at: location)
    }
}
