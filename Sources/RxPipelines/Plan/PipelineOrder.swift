import RxDiagnostics

/// Puts pipelines in an order in which each comes after those it takes events from.
struct PipelineOrder {
    /// How far it is with a pipeline.
    private enum Mark {
        /// It is this far down the way upstream.
        case onTheWay(Int)
        case done
    }

    /// The longest chain of pipelines that start from each other. Each event goes down all of it at once, on one stack.
    static let maximumDepth = 500
    /// How many pipelines of a circle a message names.
    private static let shown = 10

    private let names: [String]
    private let builders: [String: PipelineBuilder]
    private let report: Report
    private var marks: [String: Mark] = [:]
    private var order: [(name: String, builder: PipelineBuilder)] = []
    /// How many pipelines the longest way upstream has.
    private var depths: [String: Int] = [:]

    /// A pipeline on the way upstream, and those before it that are still to be looked at.
    private struct Stop {
        let name: String
        let builder: PipelineBuilder
        var rest: ArraySlice<LocatedText>
        /// The one gone to from here.
        var next: LocatedText?
    }

    init(_ builders: [(name: String, builder: PipelineBuilder)], _ report: Report) {
        names = builders.map(\.name)
        self.builders = Dictionary(builders.map { ($0.name, $0.builder) }) { first, _ in first }
        self.report = report
    }

    /// The pipelines in order, after reporting each circle.
    func sorted() -> [(name: String, builder: PipelineBuilder)] {
        var copy = self
        for name in names { copy.visit(name) }
        return copy.order
    }

    /// Goes upstream to where nothing new is. In a loop: a config may hold a chain longer than any stack.
    private mutating func visit(_ name: String) {
        var path: [Stop] = []
        enter(name, &path)
        while var stop = path.popLast() {
            guard let next = stop.rest.popFirst() else {
                marks[stop.name] = .done
                order.append((stop.name, stop.builder))
                measure(stop)
                continue
            }
            stop.next = next
            path.append(stop)
            if case .onTheWay(let start) = marks[next.text] { reportCircle(to: next.text, path[start...]) }
            enter(next.text, &path)
        }
    }

    private mutating func enter(_ name: String, _ path: inout [Stop]) {
        guard marks[name] == nil, let builder = builders[name] else { return }
        marks[name] = .onTheWay(path.count)
        path.append(Stop(name: name, builder: builder, rest: builder.possibleReferences[...]))
    }

    /// - Parameter circle: the part of the way that goes round.
    private func reportCircle(to name: String, _ circle: ArraySlice<Stop>) {
        guard let place = circle.first?.next?.location else { return }
        var names = circle.prefix(Self.shown).map(\.name)
        if circle.count > names.count { names.append("\(circle.count - names.count) more") }
        report.add(
            "pipelines start from each other in a circle: \((names + [name]).joined(separator: " from "))", at: place)
    }

    /// Reports the first of a chain that is too long.
    private mutating func measure(_ stop: Stop) {
        let upstream = stop.builder.possibleReferences.map { depths[$0.text] ?? 0 }.max() ?? 0
        depths[stop.name] = upstream + 1
        guard upstream == Self.maximumDepth, let place = stop.builder.inputs.members.first?.node.location else {
            return
        }
        report.add(
            "'\(stop.name)' makes a chain of more than \(Self.maximumDepth) pipelines that start from each other; put "
                + "the steps of several into one", at: place)
    }
}
