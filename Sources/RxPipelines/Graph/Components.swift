import RxEngine
import RxJQ

/// Which nodes of a config hang together.
struct Components {
    private var parents: [String: String] = [:]

    /// Says that two nodes hang together.
    mutating func join(_ one: String, _ other: String) {
        let (name, parent) = (name(of: one), name(of: other))
        if name != parent { parents[name] = parent }
    }

    /// The node that a component is called by.
    mutating func name(of node: String) -> String {
        var name = node
        while let parent = parents[name], parent != name { name = parent }
        // Whoever is on the way finds it at once the next time: a chain is gone down once.
        var other = node
        while other != name {
            let parent = parents.updateValue(name, forKey: other)
            other = parent ?? name
        }
        return name
    }
}

/// What nodes that hang together run on.
final class Component: Sendable, Hashable {
    let scheduler: any SchedulerType
    /// Owns the values that expressions make.
    let arena = JQArena()
    /// Numbers the events of all sources.
    let accepted: Sequencer

    /// - Parameter first: the number of the first event. Those of earlier processes and components have lower ones.
    init(_ scheduler: any SchedulerType, acceptingFrom first: UInt64 = 1) {
        self.scheduler = scheduler
        accepted = Sequencer(from: first)
    }

    static func == (left: Component, right: Component) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// The components of a plan, each that of a node of it that there was before, or a new one.
struct PlannedComponents {
    private var components = Components()
    private var known: [String: Component] = [:]
    private let make: Graph.MakeScheduler
    private let firstAccepted: UInt64

    /// - Parameter redelivered: how many events an earlier process has left. They are numbered from 1.
    init(
        _ plan: Plan, after before: [Node], redelivering redelivered: Int,
        _ make: @escaping Graph.MakeScheduler
    ) {
        self.make = make
        firstAccepted = before.lazy.map(\.component.accepted.upcoming).max() ?? UInt64(redelivered) + 1
        for pipeline in plan.pipelines {
            // What a pipeline fails on is in the same turn as what receives it: a snapshot has both or neither.
            for name in pipeline.dependencies + pipeline.failuresTo { components.join(pipeline.name, name) }
        }
        let names = Set(plan.sources.map(\.name) + plan.pipelines.map(\.name))
        for node in before where names.contains(node.name) {
            let name = components.name(of: node.name)
            known[name] = known[name] ?? node.component
        }
    }

    subscript(node: String) -> Component {
        mutating get {
            let name = components.name(of: node)
            if let component = known[name] { return component }
            let new = Component(make(name), acceptingFrom: firstAccepted)
            known[name] = new
            return new
        }
    }
}
