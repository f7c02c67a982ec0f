import RxDiagnostics

/// Sorts pipelines topologically: each comes after those it takes events from.
struct PipelineOrder {
    /// The state of a pipeline in the depth-first search.
    private enum Mark {
        /// The pipeline is on the current path, at this index.
        case visiting(Int)
        case done
    }

    /// The longest chain of pipelines. An event passes the whole chain in nested calls, on one stack.
    static let maximumDepth = 500
    /// The number of pipelines of a cycle that a message names.
    private static let shown = 10

    private let names: [String]
    private let builders: [String: PipelineBuilder]
    private let report: Report
    private var marks: [String: Mark] = [:]
    private var order: [(name: String, builder: PipelineBuilder)] = []
    /// The number of pipelines on the longest path upstream of each pipeline, itself included.
    private var depths: [String: Int] = [:]

    /// A pipeline on the current path, and its inputs that have yet to be visited.
    private struct Visit {
        let name: String
        let builder: PipelineBuilder
        var rest: ArraySlice<LocatedText>
        /// The input that is being visited.
        var next: LocatedText?
    }

    init(_ builders: [(name: String, builder: PipelineBuilder)], _ report: Report) {
        names = builders.map(\.name)
        self.builders = Dictionary(builders.map { ($0.name, $0.builder) }) { first, _ in first }
        self.report = report
    }

    /// The pipelines in order. Cycles are reported.
    func sorted() -> [(name: String, builder: PipelineBuilder)] {
        var copy = self
        for name in names { copy.visit(name) }
        return copy.order
    }

    /// Visits a pipeline and everything upstream of it. A loop and no recursion, since a configuration may contain a
    /// chain that is longer than any stack allows.
    private mutating func visit(_ name: String) {
        var path: [Visit] = []
        enter(name, &path)
        while var visit = path.popLast() {
            guard let next = visit.rest.popFirst() else {
                marks[visit.name] = .done
                order.append((visit.name, visit.builder))
                measure(visit)
                continue
            }
            visit.next = next
            path.append(visit)
            if case .visiting(let start) = marks[next.text] { reportCycle(to: next.text, path[start...]) }
            enter(next.text, &path)
        }
    }

    private mutating func enter(_ name: String, _ path: inout [Visit]) {
        guard marks[name] == nil, let builder = builders[name] else { return }
        marks[name] = .visiting(path.count)
        path.append(Visit(name: name, builder: builder, rest: builder.possibleReferences[...]))
    }

    /// Reports a cycle.
    ///
    /// - Parameters:
    ///   - name: the pipeline that closes the cycle.
    ///   - cycle: the part of the path that forms it.
    private func reportCycle(to name: String, _ cycle: ArraySlice<Visit>) {
        guard let place = cycle.first?.next?.location else { return }
        var names = cycle.prefix(Self.shown).map(\.name)
        if cycle.count > names.count { names.append("\(cycle.count - names.count) more") }
        report.add(
            "pipelines form a cycle: \((names + [name]).joined(separator: " from "))", at: place)
    }

    /// Computes the depth of a pipeline, and reports the first pipeline of a chain that is beyond the maximum.
    private mutating func measure(_ visit: Visit) {
        let upstream = visit.builder.possibleReferences.map { depths[$0.text] ?? 0 }.max() ?? 0
        depths[visit.name] = upstream + 1
        guard upstream == Self.maximumDepth, let place = visit.builder.inputs.members.first?.node.location else {
            return
        }
        report.add(
            "'\(visit.name)' is at the end of a chain of more than \(Self.maximumDepth) pipelines; put "
                + "the steps of several into one", at: place)
    }
}
