import RxEngine
import RxJQ

/// The connected components of a configuration's nodes: a union-find structure.
struct ComponentFinder {
    private var parents: [String: String] = [:]

    /// Joins the components of two nodes.
    mutating func join(_ one: String, _ other: String) {
        let (name, parent) = (name(of: one), name(of: other))
        if name != parent { parents[name] = parent }
    }

    /// The node that names the component of a node: the root of its tree.
    mutating func name(of node: String) -> String {
        var name = node
        while let parent = parents[name], parent != name { name = parent }
        // Path compression: every node on the way points to the root from now on.
        var other = node
        while other != name {
            let parent = parents.updateValue(name, forKey: other)
            other = parent ?? name
        }
        return name
    }
}

/// The scheduler and the expression values that connected nodes share.
final class Component: Sendable, Hashable {
    let scheduler: any SchedulerType
    /// The owner of the values that expressions make.
    let arena = JQArena()
    /// Numbers the events of all sources.
    let accepted: SequenceCounter

    /// - Parameters:
    ///   - scheduler: the serial scheduler of the component.
    ///   - first: the number of the first event, higher than those of earlier processes and components.
    init(_ scheduler: any SchedulerType, acceptingFrom first: UInt64 = 1) {
        self.scheduler = scheduler
        accepted = SequenceCounter(from: first)
    }

    static func == (left: Component, right: Component) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// The components of a plan. A component with a node of the previous graph keeps the component of that node.
struct PlannedComponents {
    private var components = ComponentFinder()
    private var known: [String: Component] = [:]
    private let make: Graph.MakeScheduler
    private let firstAccepted: UInt64

    /// - Parameters:
    ///   - plan: the plan.
    ///   - before: the nodes of the previous graph.
    ///   - redelivered: the number of events that the previous process left, which are numbered from 1.
    ///   - make: makes the scheduler of a new component.
    init(
        _ plan: Plan, after before: [Node], redelivering redelivered: Int,
        _ make: @escaping Graph.MakeScheduler
    ) {
        self.make = make
        firstAccepted = before.lazy.map(\.component.accepted.upcoming).max() ?? UInt64(redelivered) + 1
        for pipeline in plan.pipelines {
            // A pipeline and the receivers of its failed events share a component, so that a snapshot has the state of
            // both at the same moment.
            for name in pipeline.dependencies + pipeline.failuresTo { components.join(pipeline.name, name) }
        }
        let names = Set(plan.sources.map(\.name) + plan.pipelines.map(\.name))
        for node in before where names.contains(node.name) {
            let name = components.name(of: node.name)
            known[name] = known[name] ?? node.component
        }
    }

    /// The component of the previous graph that a node of the plan belongs to; `nil` if its component is new.
    mutating func existing(_ node: String) -> Component? { known[components.name(of: node)] }

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
