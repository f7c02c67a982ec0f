import RxJSON

/// A status as messages: for pages that have the one before it, and for pages that have none.
struct PageStatus: Sendable {
    /// The status without its nodes.
    private let rest: JSON
    private let nodes: PageNodes
    /// The message for pages that have the status before this one, which is the same for all of them.
    let changes: [UInt8]

    /// - Parameters:
    ///   - status: what `rxwatchctl status` prints, and the time as `now`.
    ///   - previous: the status before it, if there is one.
    init(_ status: JSON, after previous: PageStatus?) {
        let (sections, rest) = PageNodes.split(status)
        var nodes = previous?.nodes ?? PageNodes()
        nodes.update(to: sections)
        (self.rest, self.nodes) = (rest, nodes)
        changes = Self.message(rest, nodes.stages)
    }

    /// The message for pages that have no status.
    var whole: [UInt8] { Self.message(rest, nodes.whole) }

    private static func message(_ rest: JSON, _ stages: [JSON]) -> [UInt8] {
        var data = rest
        data["stages"] = .array(stages)
        return Page.message("status", data)
    }
}
