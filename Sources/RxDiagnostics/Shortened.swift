extension String {
    /// The text, cut to the length of a message.
    package var shortened: String {
        // A character can have any number of scalars.
        utf8.count <= 60 || unicodeScalars.count <= 60 ? self : "\(String(unicodeScalars.prefix(60)))…"
    }
}

extension Diagnostic {
    /// The most Unicode scalars of a message: it may quote a text of any length. Its end is kept, because the advice is
    /// there.
    private static let longest = 2_000

    /// The diagnostic with a message that is cut to a readable length.
    var shortened: Diagnostic {
        let scalars = message.unicodeScalars
        guard message.utf8.count > Self.longest, scalars.count > Self.longest else { return self }
        let half = Self.longest / 2
        return Diagnostic("\(String(scalars.prefix(half))) … \(String(scalars.suffix(half)))", at: location, severity)
    }
}
