import RxEngine
import RxJSON

/// The secrets that requests read while a configuration runs.
///
/// Of each origin, such as a file, the latest contents are known, and any content with which a request is running: a
/// server may echo it late.
final class ReadSecrets: Sendable {
    private let known: Locked<KnownContents>

    /// Creates an empty list.
    ///
    /// - Parameter maximumOrigins: the number of origins above which those without a request are forgotten: a template
    ///   may name any number.
    init(maximumOrigins: Int = 4096) {
        known = Locked(KnownContents(maximumOrigins: maximumOrigins))
    }

    /// The texts to search for.
    var forms: SecretForms { known.withLock { $0.forms } }

    /// Adds the content of an origin.
    ///
    /// - Parameters:
    ///   - text: the content.
    ///   - origin: identifies the file, or the location in the configuration.
    ///   - shown: the replacement.
    /// - Returns: keeps the content known while it is retained.
    func add(_ text: String, from origin: String, shownAs shown: String) -> Secrets.Use {
        known.withLock { $0.add(text, from: origin, shownAs: shown) }
    }
}

/// The known contents of origins.
private struct KnownContents {
    /// The number of contents of one origin that are known without a request.
    private static let contentsOfOrigin = 8
    let maximumOrigins: Int

    /// A text that was read, and the requests that use it.
    private struct Content {
        let text: String
        weak var use: Secrets.Use?
    }

    /// A file or a location in the configuration that secrets are read from, with its known contents.
    private struct Origin {
        let shown: String
        /// The latest first.
        var contents: [Content] = []

        var isInUse: Bool { contents.contains { $0.use != nil } }
    }

    private var origins: [String: Origin] = [:]

    init(maximumOrigins: Int) {
        self.maximumOrigins = maximumOrigins
    }
    private(set) var forms = SecretForms()

    mutating func add(_ text: String, from name: String, shownAs shown: String) -> Secrets.Use {
        var origin = origins[name] ?? Origin(shown: shown)
        let index = origin.contents.firstIndex { $0.text.hasSameBytes(as: text) }
        let use = index.flatMap { origin.contents[$0].use } ?? Secrets.Use()
        if let index { origin.contents.remove(at: index) }
        origin.contents.insert(Content(text: text, use: use), at: 0)
        let count = origin.contents.count + origins.count
        let old = origin.contents.dropFirst(Self.contentsOfOrigin)
        origin.contents = origin.contents.prefix(Self.contentsOfOrigin) + old.filter { $0.use != nil }
        if origins[name] == nil, origins.count >= maximumOrigins { origins = origins.filter(\.value.isInUse) }
        if origin.contents.count + origins.count < count {
            origins[name] = origin
            forms = SecretForms()
            for origin in origins.values {
                for content in origin.contents { forms.insert(content.text, shownAs: origin.shown) }
            }
        } else {
            origins[name] = origin
            if index == nil { forms.insert(text, shownAs: shown) }
        }
        return use
    }
}
