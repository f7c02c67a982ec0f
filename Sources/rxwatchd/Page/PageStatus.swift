import RxJSON

/// A status, for pages that have the one before it and for pages that have none.
struct PageStatus: Sendable {
    /// The status without its nodes.
    private let rest: JSON
    private let nodes: PageNodes

    /// - Parameters:
    ///   - status: what `rxwatchctl status` prints, and the time as `now`.
    ///   - previous: the status before it, if there is one.
    init(_ status: JSON, after previous: PageStatus?) {
        let (sections, rest) = PageNodes.split(status)
        var nodes = previous?.nodes ?? PageNodes()
        nodes.update(to: sections)
        (self.rest, self.nodes) = (rest, nodes)
    }

    /// What a page gets.
    ///
    /// - Parameter isNext: whether it has the status before this one.
    func data(isNext: Bool) -> JSON {
        var data = rest
        data["stages"] = .array(isNext ? nodes.stages : nodes.whole)
        return data
    }
}
