/// A mark of a diagram, and its frame.
public struct Marble: Hashable, Sendable {
    /// The frame, counted from that of the subscription, which is 0.
    public let frame: Int
    /// The event in the frame.
    public let mark: MarbleMark
    /// The value or the error in words, for a comparison; empty if the mark says everything.
    public let detail: String

    /// Makes a mark in a frame.
    ///
    /// - Parameters:
    ///   - frame: when it happens. A number beyond 10¹² frames counts as that.
    ///   - mark: what happens.
    ///   - detail: the value or the error in words.
    public init(_ frame: Int, _ mark: MarbleMark, detail: String = "") {
        self.frame = min(max(frame, -1_000_000_000_000), 1_000_000_000_000)
        self.mark = mark
        self.detail = detail
    }
}
