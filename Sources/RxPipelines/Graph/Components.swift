/// Which nodes of a config hang together.
struct Components {
    private var parents: [String: String] = [:]

    /// Says that two nodes hang together.
    mutating func join(_ one: String, _ other: String) {
        parents[name(of: one)] = name(of: other)
    }

    /// The node that a component is called by.
    func name(of node: String) -> String {
        var name = node
        while let parent = parents[name], parent != name { name = parent }
        return name
    }
}
