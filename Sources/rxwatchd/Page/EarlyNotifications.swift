import RxJSON

/// Notifications that arrive while the history for a new page is made, and follow it.
struct EarlyNotifications {
    private let maximumBytes: Int
    /// The messages so far; `nil` once they are released.
    private var messages: [UInt8]? = []
    /// The number of messages that had no room.
    private var missing = 0

    /// - Parameter maximumBytes: the most bytes of all messages.
    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    /// Keeps a message, or counts it if it has no room.
    ///
    /// - Returns: `false` if the messages have been released: the page then gets this one directly.
    mutating func hold(_ message: [UInt8]) -> Bool {
        guard let count = messages?.count else { return false }
        if count + message.count <= maximumBytes { messages?.append(contentsOf: message) } else { missing += 1 }
        return true
    }

    /// Returns the messages, and one about those that had no room.
    mutating func release() -> [UInt8] {
        let held = messages.take() ?? []
        return missing == 0 ? held : held + Page.message("notification", ["missing": .number(Double(missing))])
    }
}
